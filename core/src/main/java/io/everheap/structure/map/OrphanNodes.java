package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.structure.common.BlockCheck;
import io.everheap.structure.common.MapHash;
import io.everheap.structure.common.MapLayout;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Recognises nodes of one map or set whose chains are cut, among blocks of nodes that nothing leads
 * to. A node does not name its map, but there is evidence: its key must belong into a bucket that
 * is cut; the link that it holds must carry the tag, under this map's secret seed, of the key that
 * it leads to; key and value must decode. The caller keeps writers out.
 */
public final class OrphanNodes {
  private final Allocator allocator;
  private final BlockCheck blocks;
  private final EntryCheck entries;
  private final HashTable table;
  private final MapInfo info;
  private final long buckets;
  private final Probe probe = new Probe();

  /** Pairs of first and end bucket. */
  private long[] cuts = new long[2];

  private int length;

  /**
   * For the nodes of one map.
   *
   * @param heap the heap
   * @param reference of the map's header
   * @param keys codec of the keys, or null if they need not decode
   * @param values codec of the values, likewise
   * @throws io.everheap.error.GoneException if there is no such block
   * @throws io.everheap.error.CorruptException if the block is not the header of a hash table
   */
  public OrphanNodes(
      StructureContext heap, long reference, @Nullable Codec<?> keys, @Nullable Codec<?> values) {
    this.allocator = heap.allocator();
    this.info = MapInfo.read(heap, reference);
    this.table =
        new HashTable(
            heap.memory(),
            heap.transactions().stripes(),
            allocator,
            reference,
            new MapHash(info.seed(), MapHash.ALL_BITS));
    this.buckets = table.buckets();
    this.blocks = new BlockCheck(heap, probe);
    this.entries = new EntryCheck(probe, table, info);
    entries.decodeWith(keys, info.isSet() ? NoValue.INSTANCE : values);
  }

  /** Entries of these buckets may be missing. */
  public void cut(long first, long end) {
    if (length > 0 && cuts[length - 1] == first) {
      cuts[length - 1] = end;
      return;
    }
    if (length == cuts.length) {
      cuts = Arrays.copyOf(cuts, 2 * length);
    }
    cuts[length++] = first;
    cuts[length++] = end;
  }

  /**
   * Whether a node may be one of this map.
   *
   * @param reference of a block of the type of nodes
   */
  public boolean mayOwn(long reference) {
    try {
      long node = Reference.address(reference);
      if (blocks.nodeProblem(table.nodes(), node) != null
          || !table.nodes().hasLengthsOfWords(node, info.wordKeys())
          || (table.nodes().words() && allocator.size(reference) != NodeLayout.WORDS_BYTES)) {
        return false;
      }
      long hash = hash(node);
      long next = table.nodes().next(node);
      if (!isCut(hash) || (next != 0 && leadsAstray(next))) {
        return false;
      }
      return probe.isSound(node, NodeLayout.link(hash, node), part -> true);
    } catch (RuntimeException e) {
      BlockCheck.requireOpen(e);
      return false;
    }
  }

  /** Passes the entry of such a node, and its blocks, on. */
  public void take(long reference, StructureFindings findings) {
    long node = Reference.address(reference);
    if (findings.owned(reference)
        && probe.isSound(node, NodeLayout.link(hash(node), node), findings::owned)) {
      findings.entry(node, probe.key, probe.value);
    }
  }

  private long hash(long node) {
    return table.nodes().key(node, info.wordKeys(), table.exclusive()).hash(table.hash());
  }

  /** Whether a link leads to a sound node that is not this map's. A damaged one says nothing. */
  private boolean leadsAstray(long link) {
    long target = NodeLayout.node(link);
    return blocks.nodeProblem(table.nodes(), target) == null
        && !NodeLayout.tagMatches(link, hash(target));
  }

  private boolean isCut(long hash) {
    boolean known = buckets >= MapLayout.INITIAL_BUCKETS && buckets <= MapLayout.MAX_BUCKETS;
    long bucket = known ? MapLayout.bucket(hash, buckets) : 0;
    int low = 0;
    int high = length / 2;
    while (low < high) { // cuts are in the order of the buckets
      int middle = (low + high) >>> 1;
      if (cuts[2 * middle + 1] <= bucket) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return 2 * low < length && cuts[2 * low] <= bucket;
  }

  /** Looks at one entry. */
  private final class Probe implements StructureFindings {
    private LongPredicate parts = part -> true;
    private boolean problem;
    private Object key = 0L;
    private Object value = 0L;
    private boolean found;

    boolean isSound(long node, long link, LongPredicate owner) {
      parts = owner;
      problem = false;
      found = false;
      entries.beginChain();
      BlockCheck check = new BlockCheck(blocks, this);
      if (entries.load(node, link)) {
        entries.check(check, 0, 1);
      }
      return found && !problem;
    }

    @Override
    public void problem(String kind, long address, @Nullable String key, String message) {
      problem = true;
    }

    @Override
    public boolean owned(long reference) {
      return parts.test(reference);
    }

    @Override
    public boolean wantsEntries() {
      return true;
    }

    @Override
    public void entry(long node, Object rawKey, Object rawValue) {
      found = true;
      key = rawKey;
      value = rawValue;
    }
  }
}
