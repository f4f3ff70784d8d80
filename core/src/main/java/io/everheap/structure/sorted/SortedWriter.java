package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.PathGuard;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes to a tree, in the running transaction. A change that needs no split stores a place, a few
 * bytes of its leaf's order and two counts.
 *
 * <p>A node that is full is split in the middle, or, at the right end of the tree, behind its last
 * place, so that keys that come in order fill their nodes. A leaf with few entries becomes one with
 * a neighbour below the same node if both fit well into one, an empty one always; so does an inner
 * node with few children. A node that has no neighbour there stays as it is.
 *
 * <h2>Implementation note: skip</h2>
 *
 * <p>All keys that can ever be in a node lie between the separators to its left and its right, and
 * begin with the bytes that these two have in common: the node skips those, in its heads. The skip
 * is chosen when a node is made or split and stays right as long as the separators move only
 * closer, which is what splits do. Where they would move apart, which is when two nodes become one,
 * a new node is made. At the ends of the tree there is no separator, and nothing is skipped.
 */
public final class SortedWriter {
  private final SortedTree tree;
  private final SortedNodes nodes;
  private final SortedEntries entries;
  private final @Nullable Separators separators;
  private final KeyComparison comparison;
  private final HeapMemory memory;
  private final PathGuard exclusive;

  public SortedWriter(SortedTree tree) {
    this.tree = tree;
    this.nodes = tree.nodes();
    this.entries = tree.entries();
    this.separators = tree.separators();
    this.comparison = tree.comparison();
    this.memory = tree.memory();
    this.exclusive = tree.exclusive();
  }

  /**
   * Adds a key that is not there, at the place where {@link SortedTree#find} looked for it; refuses
   * if damage may have hidden it.
   */
  public void insert(SortedPath path, Encoded key, Encoded value) {
    requireSound(path);
    long payload = entries.create(key, value);
    setCount(tree.count() + 1);
    if (path.depth() == 0) {
      var place = new SortedNodes.Place(comparison.head(key, 0), payload, 0);
      setRoot(nodes.create(0, 0, List.of(place)));
      return;
    }
    long leaf = path.leaf();
    long info = nodes.info(leaf);
    if (SortedLayout.count(info) < SortedLayout.CAPACITY) {
      long head = comparison.head(key, SortedLayout.skip(info));
      nodes.insert(leaf, info, path.at(), new SortedNodes.Place(head, payload, 0));
      return;
    }
    splitLeaf(path, info, key, payload);
  }

  /** Compares the pages that led to the place of a new key with their checksums. */
  void requireSound(SortedPath path) {
    if (!memory.comparesPages()) {
      return;
    }
    memory.requireSound(tree.header(), Long.BYTES + SortedLayout.HEADER_BYTES);
    for (int i = 0; i <= path.last(); i++) {
      long node = path.node(i);
      long info = nodes.info(node);
      int level = SortedLayout.level(info);
      memory.requireSound(
          node, Long.BYTES + SortedLayout.nodeBytes(level, SortedLayout.flags(info)));
      int first = Math.max(0, path.position(i) - (level == 0 ? 1 : 0));
      int end = Math.min(path.position(i) + (level == 0 ? 1 : 2), SortedLayout.count(info));
      for (int position = first; position < end && separators != null; position++) {
        int place = nodes.place(node, position);
        if (level == 0) {
          entries.store().requireSoundKey(NodeLayout.node(nodes.payload(node, place)));
        } else {
          separators.requireSound(nodes.separator(node, place, info));
        }
      }
    }
  }

  /**
   * Moves the upper part of a full leaf to a new one, and adds an entry to either. The lower part
   * stays where it is.
   */
  private void splitLeaf(SortedPath path, long info, Encoded key, long payload) {
    long leaf = path.leaf();
    nodes.requireNode(leaf);
    int last = path.last();
    int position = path.at();
    int cut = cut(path, last); // how many stay, with the new one if it is one of them
    boolean stays = position < cut;
    int kept = stays ? cut - 1 : cut;
    Encoded less = position == cut - 1 ? key : keyAt(leaf, kept - 1);
    Encoded more = position == cut ? key : keyAt(leaf, kept);
    Encoded separator = comparison.between(less, more);
    int skip = SortedLayout.skip(info);
    int leftSkip = skip(fence(path, last, key, false), separator);
    int rightSkip = skip(separator, fence(path, last, key, true));
    List<SortedNodes.Place> places = new ArrayList<>(SortedLayout.CAPACITY - kept + 1);
    for (int i = kept; i < SortedLayout.CAPACITY; i++) {
      if (i == position && !stays) {
        places.add(new SortedNodes.Place(comparison.head(key, rightSkip), payload, 0));
      }
      places.add(nodes.leafPlace(leaf, i, headAt(leaf, i, skip, rightSkip)));
    }
    if (position == SortedLayout.CAPACITY && !stays) {
      places.add(new SortedNodes.Place(comparison.head(key, rightSkip), payload, 0));
    }
    long right = nodes.create(0, rightSkip, places);
    for (int i = 0; i < kept && leftSkip != skip; i++) {
      nodes.setHead(leaf, i, headAt(leaf, i, skip, leftSkip));
    }
    long left = SortedLayout.info(kept, 0, SortedLayout.flags(info), leftSkip);
    nodes.setInfo(leaf, left);
    if (stays) {
      long head = comparison.head(key, leftSkip);
      nodes.insert(leaf, left, position, new SortedNodes.Place(head, payload, 0));
    }
    linkRight(path, last, 0, key, nodes.reference(leaf), separator, right);
  }

  private Encoded keyAt(long leaf, int position) {
    return entries.key(leaf, nodes.place(leaf, position), exclusive);
  }

  /** The head that the entry at a position has with another skip. */
  private long headAt(long leaf, int position, int skip, int other) {
    return skip == other
        ? nodes.head(leaf, nodes.place(leaf, position))
        : comparison.head(keyAt(leaf, position), other);
  }

  /** Makes a new node known to what is above the one from which it was split. */
  private void linkRight(
      SortedPath path,
      int depth,
      int level,
      Encoded key,
      long left,
      Encoded separator,
      long right) {
    if (depth == 0) {
      setRoot(build(level + 1, 0, listOf(Encoded.NOTHING, separator), listOf(left, right)));
      return;
    }
    insertChild(path, depth - 1, path.position(depth - 1) + 1, key, separator, right);
  }

  /** How many of the places of a full node and one more stay on the left side. */
  private int cut(SortedPath path, int depth) {
    boolean atEnd = path.position(depth) == SortedLayout.CAPACITY - (depth == path.last() ? 0 : 1);
    for (int i = depth - 1; atEnd && i >= 0; i--) {
      atEnd = path.position(i) == nodes.count(path.node(i)) - 1;
    }
    return atEnd ? SortedLayout.CAPACITY : SortedLayout.CAPACITY / 2;
  }

  /**
   * Makes two inner nodes of one.
   *
   * @param depth index of the node in the path
   * @param keys separators of its places and the new one; the first has none
   * @param cut where the second node begins
   * @param separator of the second node
   */
  private void split(
      SortedPath path,
      int depth,
      long info,
      Encoded key,
      List<Encoded> keys,
      List<Long> payloads,
      int cut,
      Encoded separator) {
    long node = path.node(depth);
    int level = SortedLayout.level(info);
    Encoded low = fence(path, depth, key, false);
    Encoded high = fence(path, depth, key, true);
    if (level > 0) {
      freeSeparators(node, info);
    }
    int size = keys.size();
    long left = build(level, skip(low, separator), keys.subList(0, cut), payloads.subList(0, cut));
    long right =
        build(level, skip(separator, high), keys.subList(cut, size), payloads.subList(cut, size));
    nodes.free(node);
    if (depth > 0) {
      nodes.setPayload(path.node(depth - 1), path.position(depth - 1), left);
    }
    linkRight(path, depth, level, key, left, separator, right);
  }

  private static <T> List<T> listOf(T one, T other) {
    return new ArrayList<>(List.of(one, other));
  }

  private void insertChild(
      SortedPath path, int depth, int position, Encoded key, Encoded separator, long child) {
    long node = path.node(depth);
    long info = nodes.info(node);
    int level = SortedLayout.level(info);
    if (SortedLayout.count(info) < SortedLayout.CAPACITY) {
      nodes.insert(node, info, position, place(level, separator, SortedLayout.skip(info), child));
      return;
    }
    List<Encoded> keys = keys(node, info, key);
    List<Long> payloads = payloads(node, info);
    keys.add(position, separator);
    payloads.add(position, child);
    int cut = cut(path, depth);
    split(path, depth, info, key, keys, payloads, cut, keys.get(cut));
  }

  /** Gives the entry at which a path stands another value. */
  public void update(SortedPath path, Encoded value) {
    long leaf = path.leaf();
    nodes.requireNode(leaf);
    entries.update(leaf, nodes.place(leaf, path.at()), value, exclusive);
  }

  /** Removes the entry at which a path stands, which a search for its key made. */
  public void remove(SortedPath path, Encoded key) {
    long leaf = path.leaf();
    long info = nodes.info(leaf);
    long payload = nodes.payload(leaf, nodes.place(leaf, path.at()));
    nodes.remove(leaf, info, path.at());
    entries.free(SortedLayout.stripe(leaf), payload);
    setCount(tree.count() - 1);
    join(path, path.last(), key);
  }

  /** Makes the node at this depth one with a neighbour if it has few places, and so on upwards. */
  private void join(SortedPath path, int depth, Encoded key) {
    long node = path.node(depth);
    long info = nodes.info(node);
    int count = SortedLayout.count(info);
    if (depth == 0) {
      shrink(node, info, count);
      return;
    }
    if (count > SortedLayout.FEW) {
      return;
    }
    long above = path.node(depth - 1);
    int position = path.position(depth - 1);
    int siblings = nodes.count(above);
    if (position + 1 < siblings && fits(count, nodes.child(above, position + 1))) {
      joinChildren(path, depth, position, key);
    } else if (position > 0 && fits(count, nodes.child(above, position - 1))) {
      path.setPosition(depth - 1, position - 1);
      joinChildren(path, depth, position - 1, key);
    }
    join(path, depth - 1, key);
  }

  private boolean fits(int count, long neighbour) {
    int both = count + nodes.count(neighbour);
    return both <= SortedLayout.MOST_MERGED || (count == 0 && both <= SortedLayout.CAPACITY);
  }

  /** An empty root goes; one with a single child gives way to it. */
  private void shrink(long root, long info, int count) {
    if (SortedLayout.level(info) > 0 && count == 1) {
      long child = nodes.payload(root, nodes.place(root, 0));
      setRoot(child);
      nodes.free(root);
      long below = Reference.address(child);
      long belowInfo = nodes.info(below);
      if (SortedLayout.level(belowInfo) != SortedLayout.level(info) - 1) {
        throw Damage.at(below, "a node of a sorted map on the wrong level");
      }
      shrink(below, belowInfo, SortedLayout.count(belowInfo));
    } else if (count == 0) {
      setRoot(Reference.NULL);
      nodes.free(root);
    }
  }

  /** Makes one node of the children at a position and behind it. */
  private void joinChildren(SortedPath path, int depth, int position, Encoded key) {
    long above = path.node(depth - 1);
    long aboveInfo = nodes.info(above);
    long left = nodes.child(above, position);
    long right = nodes.child(above, position + 1);
    long leftInfo = nodes.info(left);
    long rightInfo = nodes.info(right);
    int level = SortedLayout.level(leftInfo);
    Encoded separator = separator(above, aboveInfo, position + 1, key);
    Encoded low = position > 0 ? separator(above, aboveInfo, position, key) : null;
    low = low == null ? fence(path, depth - 1, key, false) : low;
    Encoded high =
        position + 2 < SortedLayout.count(aboveInfo)
            ? separator(above, aboveInfo, position + 2, key)
            : fence(path, depth - 1, key, true);
    // Both nodes skip no more than their side of the separator between them has in common.
    List<Encoded> keys = keys(left, leftInfo, separator);
    List<Encoded> more = keys(right, rightInfo, separator);
    if (level > 0) {
      more.set(0, separator);
      freeSeparators(left, leftInfo);
      freeSeparators(right, rightInfo);
    }
    keys.addAll(more);
    List<Long> payloads = payloads(left, leftInfo);
    payloads.addAll(payloads(right, rightInfo));
    long joined = build(level, skip(low, high), keys, payloads);
    nodes.setPayload(above, position, joined);
    removeChild(above, aboveInfo, position + 1);
    nodes.free(left);
    nodes.free(right);
  }

  private void removeChild(long node, long info, int position) {
    if (separators != null) {
      int place = nodes.place(node, position);
      separators.free(SortedLayout.stripe(node), nodes.separator(node, place, info));
    }
    nodes.remove(node, info, position);
  }

  void freeSeparators(long node, long info) {
    if (separators != null) {
      for (int i = 1; i < SortedLayout.count(info); i++) {
        long separator = nodes.separator(node, nodes.place(node, i), info);
        separators.free(SortedLayout.stripe(node), separator);
      }
    }
  }

  /** Makes a node; its blocks, of the separators, are made before it. */
  long build(int level, int skip, List<Encoded> keys, List<Long> payloads) {
    List<SortedNodes.Place> places = new ArrayList<>(keys.size());
    for (int i = 0; i < keys.size(); i++) {
      places.add(
          level > 0 && i == 0
              ? new SortedNodes.Place(0, payloads.get(0), 0)
              : place(level, keys.get(i), skip, payloads.get(i)));
    }
    return nodes.create(level, skip, places);
  }

  private SortedNodes.Place place(int level, Encoded key, int skip, long payload) {
    return level > 0 && separators != null
        ? separators.place(key, skip, payload)
        : new SortedNodes.Place(comparison.head(key, skip), payload, 0);
  }

  /** Keys of entries, or separators, in their order. */
  List<Encoded> keys(long node, long info, Encoded like) {
    int count = SortedLayout.count(info);
    List<Encoded> keys = new ArrayList<>(count + 1);
    boolean leaf = SortedLayout.level(info) == 0;
    for (int i = 0; i < count; i++) {
      if (leaf) {
        keys.add(entries.key(node, nodes.place(node, i), exclusive));
      } else {
        keys.add(i == 0 ? Encoded.NOTHING : separator(node, info, i, like));
      }
    }
    return keys;
  }

  List<Long> payloads(long node, long info) {
    int count = SortedLayout.count(info);
    List<Long> payloads = new ArrayList<>(count + 1);
    for (int i = 0; i < count; i++) {
      payloads.add(nodes.payload(node, nodes.place(node, i)));
    }
    return payloads;
  }

  /** The separator of the child at a position, which is not the first. */
  Encoded separator(long node, long info, int position, Encoded like) {
    int place = nodes.place(node, position);
    return separators == null
        ? Encoded.ofWord(nodes.head(node, place))
        : separators.load(node, place, SortedLayout.skip(info), like, exclusive);
  }

  /** The separator next to a node on a path, on its left or right; null at the tree's end. */
  private @Nullable Encoded fence(SortedPath path, int depth, Encoded like, boolean right) {
    for (int i = depth - 1; i >= 0; i--) {
      long info = nodes.info(path.node(i));
      int position = path.position(i) + (right ? 1 : 0);
      if (position > 0 && position < SortedLayout.count(info)) {
        return separator(path.node(i), info, position, like);
      }
    }
    return null;
  }

  private int skip(@Nullable Encoded low, @Nullable Encoded high) {
    return low == null || high == null ? 0 : comparison.common(low, high);
  }

  void setCount(long count) {
    memory.putLong(Stripes.NONE, tree.header() + SortedLayout.COUNT, count);
  }

  void setRoot(long reference) {
    memory.putLong(tree.headerStripe(), tree.header() + SortedLayout.ROOT, reference);
  }

  /** Makes the tree empty; the caller owns the nodes of the old one. Returns its root, or 0. */
  public long takeAll() {
    long root = tree.root();
    setCount(0);
    setRoot(Reference.NULL);
    return root;
  }
}
