package io.everheap.check;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.structure.common.StructureContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the roots that own blocks in given ranges of addresses, by walking from all roots. Used by
 * one thread, which keeps writers out.
 */
final class OwnerSearch implements RootWalk.Findings {
  private final StructureContext heap;
  private final BlockSet seen;

  /** The ranges in ascending order. */
  private final List<Range> ranges;

  private final List<Set<String>> owners = new ArrayList<>();
  private final long longest;
  private String owner = "";

  /** A range of addresses, with its index in the caller's order. */
  private record Range(long from, long to, int index) {}

  OwnerSearch(StructureContext heap, long[] from, long[] to) {
    this.heap = heap;
    this.seen = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
    this.ranges =
        IntStream.range(0, from.length)
            .mapToObj(i -> new Range(from[i], to[i], i))
            .sorted((a, b) -> Long.compare(a.from, b.from))
            .collect(Collectors.toCollection(ArrayList::new));
    this.longest = ranges.stream().mapToLong(range -> range.to - range.from).max().orElse(0);
    Arrays.stream(from).forEach(range -> owners.add(new TreeSet<>()));
  }

  void run() {
    new RootWalk(heap, this).run();
  }

  /** Names of the owners of blocks in a range, separated by commas. */
  String owners(int range) {
    return String.join(", ", owners.get(range));
  }

  @Override
  public void begin(String name) {
    owner = name;
  }

  @Override
  public void problem(String kind, long address, @Nullable String key, String message) {}

  @Override
  public boolean owned(long reference) {
    long start = Reference.address(reference);
    long end = Reference.payload(reference) + heap.allocator().size(reference);
    for (int i = firstFrom(start - longest); i < ranges.size() && ranges.get(i).from < end; i++) {
      Range range = ranges.get(i);
      if (range.to > start) {
        owners.get(range.index).add(owner);
      }
    }
    return seen.add(reference);
  }

  private int firstFrom(long address) {
    int low = 0;
    int high = ranges.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ranges.get(middle).from < address) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
