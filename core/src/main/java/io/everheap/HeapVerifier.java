package io.everheap;

import io.everheap.VerifyReport.Problem;
import io.everheap.collection.DurableMap;
import io.everheap.collection.MapVerifier;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.BlockType;
import io.everheap.engine.alloc.Reference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks a heap from the roots and from the allocator, and compares: every block that a structure
 * owns must be allocated and owned once, and every block of the library's types that is allocated
 * must be owned. Memory for 8 bytes per block is needed.
 */
final class HeapVerifier {
  private static final int MOST_PROBLEMS = 1000;

  private final Engine engine;
  private final Catalog catalog;
  private final List<Problem> problems = new ArrayList<>();
  private final LongList owned = new LongList();
  private final LongList allocated = new LongList();
  private String root = "";
  private long roots;
  private long entries;
  private long blocks;
  private long bytes;

  HeapVerifier(Engine engine, Catalog catalog) {
    this.engine = engine;
    this.catalog = catalog;
  }

  VerifyReport verify() {
    engine.transactions().quiesced(this::check);
    return new VerifyReport(problems, roots, entries, blocks, bytes);
  }

  private void check() {
    MapVerifier maps =
        new MapVerifier(engine, message -> problem("structure", "", message), owned::add);
    checkCatalogMap(maps, "the map of roots", Catalog.ROOTS_WORD);
    checkCatalogMap(maps, "the map of types", Catalog.TYPES_WORD);
    checkRoots(maps);
    root = "";
    maps.verifyPendingFrees();
    checkAllocation();
    compare();
  }

  private void checkCatalogMap(MapVerifier maps, String name, int word) {
    long reference = engine.memory().getLong(engine.catalog(word));
    if (reference != 0) {
      root = name;
      maps.verify(reference);
    }
  }

  private void checkRoots(MapVerifier maps) {
    try {
      Optional<DurableMap<String, Long>> all = catalog.roots();
      if (all.isPresent()) {
        for (Map.Entry<String, Long> e : all.get().entrySet()) {
          root = e.getKey();
          roots++;
          entries += maps.verify(e.getValue());
        }
      }
    } catch (RuntimeException e) {
      problem("structure", "", "the map of roots cannot be read: " + e.getMessage());
    }
  }

  private void checkAllocation() {
    new AllocationWalker(engine.memory(), engine.home().extentShift())
        .walk(
            new AllocationVisitor() {
              @Override
              public void block(long reference, int type, long size) {
                blocks++;
                bytes += size;
                if (type != BlockType.RAW && type < BlockType.FIRST_USER_TYPE) {
                  allocated.add(reference);
                }
              }

              @Override
              public void problem(long address, String message) {
                HeapVerifier.this.problem("allocation", "address " + address, message);
              }
            });
  }

  private void compare() {
    long[] a = allocated.sorted();
    long[] o = owned.sorted();
    int i = 0;
    int j = 0;
    while (i < a.length || j < o.length) {
      if (j > 0 && j < o.length && o[j] == o[j - 1]) {
        problem("double reference", Reference.describe(o[j]), "two structures own the block");
        j++;
      } else if (j == o.length || (i < a.length && a[i] < o[j])) {
        problem("leak", Reference.describe(a[i++]), "the block is allocated, but nothing owns it");
      } else if (i == a.length || o[j] < a[i]) {
        problem("lost block", Reference.describe(o[j++]), "the block is owned, but not allocated");
      } else {
        i++;
        j++;
      }
    }
  }

  private void problem(String kind, String where, @Nullable String message) {
    if (problems.size() < MOST_PROBLEMS) {
      problems.add(new Problem(kind, root, where, String.valueOf(message)));
    }
  }

  /** A growing list of references. */
  private static final class LongList {
    private long[] values = new long[1024];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, size * 2);
      }
      values[size++] = value;
    }

    long[] sorted() {
      long[] result = Arrays.copyOf(values, size);
      Arrays.sort(result);
      return result;
    }
  }
}
