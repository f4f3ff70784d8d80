package io.everheap.structure.sorted;

import io.everheap.codec.Codec;
import io.everheap.codec.ordered.OrderedForms;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.Coding;
import io.everheap.structure.common.Encoded;
import io.everheap.structure.common.Guard;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.NodeStore;
import io.everheap.structure.common.ObjectReferences;
import io.everheap.structure.common.OrderedHeads;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import io.everheap.structure.common.ValueCheck;
import org.jspecify.annotations.Nullable;

/**
 * Checks every block of a sorted map or set: that nodes are on the levels where they belong, that
 * their orders name each place once, that keys rise, lie between the separators and have the heads
 * that follow from them, that values are there, that keys and values decode, and that the count is
 * right. Keys that a comparator orders are not compared, since only the program has it.
 *
 * <p>The caller keeps writers out. The heap may be damaged in any way: whatever is wrong goes to
 * the findings, and what can still be reached is checked.
 */
public final class SortedVerifier {
  private static final String KIND = "sorted map";

  private final StructureContext heap;
  private final HeapMemory memory;
  private final StructureFindings findings;
  private final BlockCheck blocks;

  public SortedVerifier(StructureContext heap, StructureFindings findings) {
    this.heap = heap;
    this.memory = heap.memory();
    this.findings = findings;
    this.blocks = new BlockCheck(heap, findings);
  }

  /** Checks the map or set behind a header, whose codecs are null if they need not decode. */
  public void verify(long reference, int type, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    long header = Reference.address(reference);
    try {
      SortedInfo info = SortedInfo.read(heap, reference, type);
      if (!blocks.own(header, "the header", reference, type, SortedLayout.HEADER_BYTES)) {
        return;
      }
      Codec<?> form = keys == null || info.compared() ? keys : OrderedForms.of(keys);
      Codec<?> key = ValueCheck.fitting(findings, header, info.wordKeys(), form);
      Codec<?> value = ValueCheck.fitting(findings, header, info.wordValues(), values);
      Walk walk = new Walk(info.kinds(), key, value);
      long root = memory.getLong(header + SortedLayout.ROOT);
      if (root != Reference.NULL) {
        walk.node(header + SortedLayout.ROOT, root, -1, null, null);
      }
      long count = memory.getLong(header + SortedLayout.COUNT);
      if (count != walk.found) {
        String message = "the count is " + count + ", the entries are " + walk.found;
        findings.problem("count", header + SortedLayout.COUNT, null, message);
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(KIND, header, null, String.valueOf(e.getMessage()));
    }
  }

  /** Checks a tree that is still to be freed. */
  public void own(long root) {
    try {
      long info = memory.getLong(Reference.address(root) + SortedLayout.INFO);
      Walk walk = new Walk(SortedLayout.flags(info), null, null);
      walk.freed = true;
      walk.node(Reference.address(root), root, -1, null, null);
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(KIND, Reference.address(root), null, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Checks a block that nothing leads to as if it were one of a tree, and owns it: a leaf, or an
   * entry. It need not be one.
   *
   * @param info of the tree's header
   */
  public void orphan(
      long block, SortedInfo info, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    long node = Reference.address(block);
    try {
      Codec<?> form = keys == null || info.compared() ? keys : OrderedForms.of(keys);
      Walk walk = new Walk(info.kinds(), form, values);
      if (heap.allocator().type(block) != BlockType.SORTED_NODE) {
        walk.orphan(node);
      } else if (findings.owned(block)) {
        walk.checkOrder(node);
        walk.leaf(node, walk.nodes.info(node), null, null);
      }
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      findings.problem(KIND, node, null, String.valueOf(e.getMessage()));
    }
  }

  /** A walk over one tree. */
  private final class Walk {
    private final boolean compared; // unknown of a tree that is being freed
    private final boolean wordKeys;
    private final SortedNodes nodes;
    private final SortedEntries entries;
    private final Separators separators;
    private final @Nullable Codec<?> keys;
    private final ValueCheck values;
    private final Guard exclusive;
    private boolean freed;
    private long found;
    private Encoded entry = Encoded.NOTHING; // key of the value that is checked
    private long holder; // block that this key is in

    Walk(long kinds, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
      long flags = kinds & (SortedLayout.WORD_KEYS | SortedLayout.WORD_VALUES);
      boolean wordValues = (kinds & SortedLayout.WORD_VALUES) != 0;
      this.compared = (kinds & SortedLayout.COMPARED) != 0;
      this.wordKeys = (kinds & SortedLayout.WORD_KEYS) != 0;
      this.nodes = new SortedNodes(memory, heap.allocator(), flags);
      this.entries = new SortedEntries(memory, heap.allocator(), nodes, kinds);
      this.separators = new Separators(memory, heap.allocator(), nodes, compared);
      this.keys = keys;
      this.values = new ValueCheck(heap, new Keyed(), wordValues, values);
      this.exclusive = new Guard(heap.transactions().stripes(), 0).exclusive();
    }

    /**
     * Checks a node and all below it.
     *
     * @param at address of what leads to it
     * @param above level of the node above, or -1
     * @param low separator to its left, or null
     * @param high separator to its right, or null
     */
    void node(long at, long reference, int above, @Nullable Encoded low, @Nullable Encoded high) {
      if (!blocks.own(at, "a node", reference, BlockType.SORTED_NODE, SortedLayout.NODE_BYTES)) {
        return;
      }
      long node = Reference.address(reference);
      try {
        long info = nodes.info(node);
        int level = SortedLayout.level(info);
        int count = SortedLayout.count(info);
        long least = SortedLayout.nodeBytes(level, SortedLayout.flags(info));
        if ((above >= 0 && level != above - 1) || heap.allocator().size(reference) < least) {
          problem(node, "a node of level " + level + " below one of level " + above);
          return;
        }
        if (level > 0 && count == 0 && !freed) {
          problem(node, "an inner node without children");
        }
        checkOrder(node);
        checkSkip(node, info, low, high);
        if (level == 0) {
          leaf(node, info, low, high);
        } else {
          children(node, info, low, high);
        }
      } catch (RuntimeException e) {
        BlockCheck.requireOpen(e);
        problem(node, String.valueOf(e.getMessage()));
      }
    }

    private void problem(long at, String message) {
      findings.problem(KIND, at, null, message);
    }

    private void checkOrder(long node) {
      long seen = 0;
      for (int i = 0; i < SortedLayout.CAPACITY; i++) {
        seen |= 1L << nodes.place(node, i);
      }
      if (Long.bitCount(seen) != SortedLayout.CAPACITY) {
        problem(node, "its order does not name each place once");
      }
    }

    private void checkSkip(long node, long info, @Nullable Encoded low, @Nullable Encoded high) {
      int skip = SortedLayout.skip(info);
      boolean none = wordKeys || compared || low == null || high == null;
      int most = none || low == null || high == null ? 0 : OrderedHeads.common(low, high);
      if (skip > most && !freed) {
        problem(node, "its keys skip " + skip + " bytes of the " + most + " that they share");
      }
    }

    private void children(long node, long info, @Nullable Encoded low, @Nullable Encoded high) {
      int count = SortedLayout.count(info);
      int skip = SortedLayout.skip(info);
      Encoded left = low;
      for (int i = 0; i < count; i++) {
        int place = nodes.place(node, i);
        Encoded right = i + 1 == count ? high : separator(node, i + 1, skip, low);
        if (i + 1 < count && (right == null || !rises(node, left, right))) {
          right = null; // what lies behind is not compared with it
        }
        long child = nodes.payload(node, place);
        node(nodes.payloadAt(node, place), child, SortedLayout.level(info), left, right);
        left = right;
      }
    }

    private boolean rises(long node, @Nullable Encoded left, Encoded right) {
      boolean rises = left == null || compared || freed || compare(left, right) < 0;
      if (!rises) {
        problem(node, "its separators do not rise");
      }
      return rises;
    }

    private int compare(Encoded a, Encoded b) {
      return wordKeys ? Long.compareUnsigned(a.word, b.word) : OrderedHeads.compare(a, b);
    }

    private @Nullable Encoded separator(long node, int position, int skip, @Nullable Encoded low) {
      int place = nodes.place(node, position);
      if (wordKeys) {
        return Encoded.ofWord(nodes.head(node, place));
      }
      long separator = memory.getLong(node + SortedLayout.SEPARATORS + 8L * place);
      if (Separators.isInline(separator)) {
        if (compared || (skip > 0 && low == null)) {
          problem(node, "a separator without a block");
          return null;
        }
        return separators.load(
            node, place, skip, low == null ? Encoded.ofBytes(new byte[0], 0) : low, exclusive);
      }
      long block = NodeLayout.node(separator);
      long reference = NodeLayout.reference(block, memory.getLong(block));
      if (!blocks.own(
          node, "a separator", reference, BlockType.SORTED_SEPARATOR, Separators.BYTES - 8)) {
        return null;
      }
      Encoded loaded = separators.load(block, exclusive);
      if (heap.allocator().size(reference) < Separators.BYTES - 8 + loaded.length) {
        problem(block, "a separator does not fit into its block");
        return null;
      }
      if (!compared && !freed && nodes.head(node, place) != OrderedHeads.head(loaded, skip)) {
        problem(node, "the head of a separator is not that of its bytes");
      }
      return loaded;
    }

    private void leaf(long leaf, long info, @Nullable Encoded low, @Nullable Encoded high) {
      int count = SortedLayout.count(info);
      Encoded before = null;
      for (int i = 0; i < count; i++) {
        int place = nodes.place(leaf, i);
        long at = nodes.payloadAt(leaf, place);
        found++;
        findings.counted();
        Encoded key = wordKeys ? Encoded.ofWord(nodes.head(leaf, place)) : key(leaf, place, at);
        if (key == null) {
          continue;
        }
        Object text = text(at, key);
        if (!compared && !freed) {
          checkPlace(leaf, place, SortedLayout.skip(info), key, low, high, before);
        }
        before = key;
        if (text != null) {
          entry = key;
          value(leaf, place, at, text);
        }
      }
    }

    private void checkPlace(
        long leaf,
        int place,
        int skip,
        Encoded key,
        @Nullable Encoded low,
        @Nullable Encoded high,
        @Nullable Encoded before) {
      if (before != null && compare(before, key) >= 0) {
        problem(leaf, "its keys do not rise");
      }
      if ((low != null && compare(key, low) < 0) || (high != null && compare(key, high) >= 0)) {
        problem(leaf, "a key belongs into another leaf");
      }
      if (!wordKeys && nodes.head(leaf, place) != OrderedHeads.head(key, skip)) {
        problem(leaf, "the head of a key is not that of its bytes");
      }
    }

    /** An entry that no leaf leads to. */
    void orphan(long node) {
      Encoded key = wordKeys ? null : entryKey(node, node);
      Object text = key == null ? null : text(node, key);
      if (key != null && text != null) {
        entry = key;
        entryValue(node, text);
      }
    }

    /** The key of an entry with a sound block of its own; null after a problem was reported. */
    private @Nullable Encoded key(long leaf, int place, long at) {
      return entryKey(NodeLayout.node(nodes.payload(leaf, place)), at);
    }

    private @Nullable Encoded entryKey(long entry, long at) {
      NodeStore store = entries.store();
      String problem = blocks.nodeProblem(store, entry);
      if (problem != null) {
        problem(at, problem);
        return null;
      }
      return findings.owned(store.reference(entry)) ? store.key(entry, false, exclusive) : null;
    }

    /** The key for messages; null after a report that it does not decode. */
    private @Nullable Object text(long at, Encoded key) {
      Codec<?> codec = keys;
      Object raw = RawCodecs.raw(key);
      if (codec == null) {
        return RawCodecs.text(raw);
      }
      try {
        Object value = new Coding<>(codec).decode(key);
        if (ObjectReferences.mayHave(codec)) {
          ObjectReferences.follow(value, findings, at, value);
        }
        return value == null || value.getClass().isArray() ? RawCodecs.text(raw) : value;
      } catch (RuntimeException e) {
        if (ValueCheck.isSound(e)) {
          String text = RawCodecs.text(raw);
          findings.undecodable(at, text, ValueCheck.undecodable(codec.name(), e));
          return text;
        }
        findings.problem(
            "entry", at, RawCodecs.text(raw), "the key does not decode: " + ValueCheck.reason(e));
        return null;
      }
    }

    private void value(long leaf, int place, long at, Object text) {
      long payload = nodes.payload(leaf, place);
      if (wordKeys) {
        holder = leaf;
        values.check(at, payload, text);
      } else {
        entryValue(NodeLayout.node(payload), text);
      }
    }

    private void entryValue(long node, Object text) {
      NodeStore store = entries.store();
      holder = node;
      if (blocks.ownParts(store, node, String.valueOf(text))) {
        values.checkLoaded(node, store.value(node, exclusive), text);
      }
    }

    /**
     * Passes entries on with their raw keys, not with the texts that stand for them in messages.
     */
    private final class Keyed implements StructureFindings {
      @Override
      public void problem(String kind, long address, @Nullable String key, String message) {
        findings.problem(kind, address, key, message);
      }

      @Override
      public boolean owned(long reference) {
        return findings.owned(reference);
      }

      @Override
      public boolean wantsEntries() {
        return findings.wantsEntries();
      }

      @Override
      public void entry(long node, Object key, Object value) {
        findings.entry(holder, RawCodecs.raw(entry), value);
      }

      @Override
      public void object(long reference, long address, @Nullable Object key) {
        findings.object(reference, address, key);
      }

      @Override
      public void dangling(long address, @Nullable Object key, String message) {
        findings.dangling(address, key, message);
      }

      @Override
      public void undecodable(long address, @Nullable Object key, String message) {
        findings.undecodable(address, key, message);
      }

      @Override
      public void skipped(String what) {
        findings.skipped(what);
      }
    }
  }
}
