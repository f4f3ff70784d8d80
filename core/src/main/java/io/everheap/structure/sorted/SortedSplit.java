package io.everheap.structure.sorted;

import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.Damage;
import io.everheap.structure.common.Encoded;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves the upper part of a tree to an empty tree of the same types, in the running transaction.
 *
 * <p>A node on the path to the first key that moves is replaced by two: one for each tree. A node
 * beside the path belongs to one tree with all that is below it, and stays as it is. So the move
 * makes at most four nodes for each level, however many entries move.
 *
 * <p>Skip: a node at an end of a tree has no separator on that side and skips nothing (see {@link
 * SortedWriter}). Where no entry of the path's leaf stays, or none moves, a node beside the path
 * becomes the end of a tree. If such a node skips bytes, it is made again.
 */
final class SortedSplit {
  private final SortedTree tree;
  private final SortedNodes nodes;
  private final SortedWriter source;
  private final SortedWriter target;

  /**
   * A split of one tree.
   *
   * @param tree that is divided
   * @param source that changes it
   * @param target that changes the empty tree
   */
  SortedSplit(SortedTree tree, SortedWriter source, SortedWriter target) {
    this.tree = tree;
    this.nodes = tree.nodes();
    this.source = source;
    this.target = target;
  }

  /** Moves all entries from a key on; returns how many. */
  long move(Encoded key) {
    target.requireSound(new SortedPath());
    SortedPath path = find(key);
    source.requireSound(path);
    if (path.depth() == 0) {
      return 0;
    }
    long all = tree.count();
    long moved = count(key, all);
    if (moved < 0 || moved > all) {
      throw Damage.at(tree.header(), "a sorted map that counts " + all + " entries has others");
    }
    if (moved == all) {
      target.setRoot(source.takeAll());
      target.setCount(all);
    } else if (moved > 0) {
      divide(path, key);
      source.setCount(all - moved);
      target.setCount(moved);
    }
    return moved;
  }

  private SortedPath find(Encoded key) {
    SortedPath path = new SortedPath();
    int _ = tree.find(key, path, tree.exclusive());
    return path;
  }

  /** Counts the entries from a key on: those of the smaller part, going away from the key. */
  private long count(Encoded key, long all) {
    SortedPath down = find(key);
    SortedPath up = find(key);
    long below = down.at();
    long from = (long) nodes.count(up.leaf()) - up.at();
    while (tree.nextLeaf(true, down, tree.exclusive())) {
      below += nodes.count(down.leaf());
      if (!tree.nextLeaf(false, up, tree.exclusive())) {
        return from;
      }
      from += nodes.count(up.leaf());
    }
    return all - below;
  }

  /** Makes two trees of the one, from the leaf of a path to the root. */
  private void divide(SortedPath path, Encoded key) {
    long left = Reference.NULL; // what was made of the node below, or null if nothing stays
    long right = Reference.NULL; // likewise, if nothing moves
    for (int i = path.last(); i >= 0; i--) {
      long node = path.node(i);
      long info = nodes.info(node);
      int level = SortedLayout.level(info);
      int position = path.position(i);
      List<Encoded> keys = source.keys(node, info, key);
      List<Long> payloads = source.payloads(node, info);
      int above = level == 0 ? position : position + 1;
      List<Encoded> lowerKeys = new ArrayList<>(keys.subList(0, position));
      List<Long> lower = new ArrayList<>(payloads.subList(0, position));
      List<Encoded> upperKeys = new ArrayList<>(keys.subList(above, keys.size()));
      List<Long> upper = new ArrayList<>(payloads.subList(above, keys.size()));
      if (left != Reference.NULL) {
        lowerKeys.add(keys.get(position));
        lower.add(left);
      }
      if (right != Reference.NULL) {
        upperKeys.addFirst(Encoded.NOTHING); // the first child has no separator
        upper.addFirst(right);
      }
      left = lower.isEmpty() ? Reference.NULL : source.build(level, 0, lowerKeys, lower);
      right = upper.isEmpty() ? Reference.NULL : source.build(level, 0, upperKeys, upper);
      free(node, info);
    }
    finish(source, left, key, true);
    finish(target, right, key, false);
  }

  private void free(long node, long info) {
    if (SortedLayout.level(info) > 0) {
      source.freeSeparators(node, info);
    }
    nodes.free(node);
  }

  /**
   * Makes a part the tree of a writer.
   *
   * @param key from which on entries move
   * @param last whether the part ends at the key, or else begins there
   */
  private void finish(SortedWriter writer, long part, Encoded key, boolean last) {
    long root = trimmed(part);
    writer.setRoot(root);
    SortedPath end = new SortedPath();
    boolean _ = tree.descend(root, -1, last, end, tree.exclusive());
    Encoded fence = key; // begins with the bytes that the next node of the path skips
    long above = 0;
    for (int i = 0; i <= end.last(); i++) {
      long node = end.node(i);
      long info = nodes.info(node);
      int level = SortedLayout.level(info);
      if (i > 0 && SortedLayout.skip(info) > 0) {
        List<Encoded> keys = source.keys(node, info, fence);
        long made = source.build(level, 0, keys, source.payloads(node, info));
        free(node, info);
        nodes.setPayload(above, end.position(i - 1), made);
        node = Reference.address(made);
        info = nodes.info(node);
      }
      int beside = last ? SortedLayout.count(info) - 1 : 1;
      if (level > 0 && beside > 0 && beside < SortedLayout.count(info)) {
        fence = source.separator(node, info, beside, fence);
      }
      above = node;
    }
  }

  /** Frees roots that have a single child, and returns what takes their place. */
  private long trimmed(long part) {
    if (part == Reference.NULL) {
      throw Damage.at(tree.header(), "a sorted map without the entries that it counts");
    }
    long root = part;
    long node = Reference.address(root);
    long info = nodes.info(node);
    while (SortedLayout.level(info) > 0 && SortedLayout.count(info) == 1) {
      int level = SortedLayout.level(info);
      root = nodes.payload(node, nodes.place(node, 0));
      nodes.free(node);
      node = Reference.address(root);
      info = nodes.info(node);
      if (SortedLayout.level(info) != level - 1) {
        throw Damage.at(node, "a node of a sorted map on the wrong level");
      }
    }
    return root;
  }
}
