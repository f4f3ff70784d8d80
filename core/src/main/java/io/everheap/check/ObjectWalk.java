package io.everheap.check;

import io.everheap.codec.Codec;
import io.everheap.durable.type.ObjectImage;
import io.everheap.durable.type.ObjectLayouts;
import io.everheap.durable.type.StoredTypes;
import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.structure.common.ObjectCheck;
import io.everheap.structure.common.StructureContext;
import io.everheap.structure.common.StructureFindings;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks each reachable object once. Objects are queued instead of visited recursively, so a chain
 * of any length needs no stack. Used by one thread.
 */
public final class ObjectWalk {
  private final StructureContext heap;
  private final StructureFindings findings;
  private final ObjectCheck check;
  private final BlockSet seen;
  private long[] waiting = new long[64];
  private int count;

  /**
   * Creates a walk with an empty queue.
   *
   * @param types names of types by number; the caller may fill the map later
   * @param codecs finds the codec with a name
   * @param findings receives what is found
   */
  ObjectWalk(
      StructureContext heap,
      Map<Long, String> types,
      Function<String, Codec<Object>> codecs,
      StructureFindings findings) {
    this.heap = heap;
    this.findings = findings;
    ObjectLayouts layouts = new ObjectLayouts(new Found(types), codecs);
    this.check = new ObjectCheck(heap, layouts, findings);
    this.seen = new BlockSet(heap.memory().getLong(HomeLayout.CAPACITY_ADDRESS));
  }

  /**
   * Queues an object unless it was queued before.
   *
   * @param reference to the object
   * @param address of the place that holds the reference
   * @param key of the entry, or the name of the field; null for a root
   */
  void add(long reference, long address, @Nullable Object key) {
    long header = heap.allocator().find(reference);
    if (header == 0) {
      findings.dangling(
          address, key, "the object at " + Reference.describe(reference) + " is gone");
    } else if (!ObjectImage.isObject(Allocator.typeOf(header))) {
      findings.problem(
          "reference",
          address,
          key == null ? null : String.valueOf(key),
          "the reference "
              + Reference.describe(reference)
              + " to an object leads to a block of type "
              + Allocator.typeOf(header));
    } else if (seen.add(reference)) {
      if (count == waiting.length) {
        waiting = Arrays.copyOf(waiting, 2 * count);
      }
      waiting[count++] = reference;
    }
  }

  /** Lets an object never be queued. */
  void leaveOut(long reference) {
    seen.add(reference);
  }

  /** Visits the object that was queued last, and queues those that it leads to. */
  void runOne() {
    if (count > 0) {
      check.check(waiting[--count]);
    }
  }

  /** Visits the queued objects and what they lead to; false if there were none. */
  boolean run() {
    boolean any = count > 0;
    while (count > 0) {
      check.check(waiting[--count]);
    }
    return any;
  }

  /** The types that a walk found, which may be damaged. */
  public record Found(Map<Long, String> names) implements StoredTypes {
    @Override
    public @Nullable String find(long number) {
      return names.get(number);
    }

    @Override
    public long number(String name) {
      throw new UnsupportedOperationException("the types are only read");
    }

    @Override
    public Map<Long, String> all() {
      return new TreeMap<>(names);
    }
  }
}
