package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.everheap.Heap;
import io.everheap.HeapBuilder;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads of fields leave no garbage once they are compiled: the handles of objects that a program
 * only passes through are never made.
 */
class ReadGarbageTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int PASSES = 200;

  /** The compiler takes its time; what matters is that there is an end of garbage. */
  private static final int MOST_ROUNDS = 3_000;

  private static final String INTERFACE =
      "@Durable public interface Link { long value(); void value(long v); Link next();"
          + " void next(Link v); static Link make(Heap heap) { return heap.create(Link.class); } }";

  private static final String CLASS =
      "@Durable public class Link { private long value; private Link next;"
          + " long value() { return value; } void value(long v) { value = v; }"
          + " Link next() { return next; } void next(Link v) { next = v; }"
          + " static Link make(Heap heap) { return new Link(); } }";

  private static final String LOOPS =
      """
      public class Loops {
        static Object links(Heap heap) {
          return heap.transact(() -> {
            Link[] links = new Link[128];
            for (int i = 0; i < links.length; i++) {
              links[i] = Link.make(heap);
              links[i].value(i);
            }
            for (int i = 0; i < links.length; i++) {
              links[i].next(links[(29 * i + 1) % links.length]);
            }
            return links;
          });
        }
        static ToLongFunction<Link[]> values() {
          return links -> {
            long sum = 0;
            for (Link link : links) sum += link.value();
            return sum;
          };
        }
        static ToLongFunction<Link[]> nextValues() {
          return links -> {
            long sum = 0;
            for (Link link : links) sum += link.next().value();
            return sum;
          };
        }
        static ToLongFunction<Link[]> thirdValues() {
          return links -> {
            long sum = 0;
            for (Link link : links) sum += link.next().next().value();
            return sum;
          };
        }
        static ToLongFunction<Link[]> same() {
          return links -> {
            long sum = 0;
            for (Link link : links) sum += link.next() == link ? 1 : 0;
            return sum;
          };
        }
        static void free(Heap heap) {
          heap.free(heap.transact(() -> Link.make(heap)));
        }
      }
      """;

  @TempDir private Path directory;

  /** The least number of bytes that one of many rounds of reads allocated. */
  @SuppressWarnings("unchecked") // the program says so
  private static long garbage(Program program, Object links, String reads) {
    ToLongFunction<Object> read = (ToLongFunction<Object>) program.call("Loops", reads);
    long least = Long.MAX_VALUE;
    for (int round = 0; least > 0 && round < MOST_ROUNDS; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int pass = 0; pass < PASSES; pass++) {
        long _ = read.applyAsLong(links);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    return least;
  }

  /** Of several programs one has to do, for the order in which a compiler works is not given. */
  private void leaveNoGarbage(
      Supplier<Program> programs, Function<Path, HeapBuilder> heaps, List<String> reads) {
    Map<String, Long> garbage = new TreeMap<>();
    for (int attempt = 0; attempt < 6; attempt++) {
      Program program = programs.get();
      try (Heap heap = heaps.apply(directory.resolve("heap" + attempt)).open()) {
        Object links = program.call("Loops", "links", heap);
        reads.forEach(each -> garbage.put(each, garbage(program, links, each)));
        program.call("Loops", "free", heap);
        reads.forEach(each -> garbage.merge(each, garbage(program, links, each), Long::sum));
      }
      if (garbage.values().stream().allMatch(bytes -> bytes == 0)) {
        return;
      }
    }
    assertThat(garbage).isEmpty();
  }

  @Test
  void ofInterfaces() {
    leaveNoGarbage(
        () -> Program.plain(INTERFACE, LOOPS),
        Heap::builder,
        List.of("values", "nextValues", "thirdValues"));
  }

  @Test
  void ofWovenClasses() {
    leaveNoGarbage(
        () -> Program.woven(CLASS, LOOPS),
        Heap::builder,
        List.of("values", "nextValues", "thirdValues"));
  }

  @Test
  void withACacheOfIdentities() {
    leaveNoGarbage(
        () -> Program.woven(CLASS, LOOPS),
        path -> Heap.builder(path).identityCache(),
        List.of("same", "thirdValues"));
  }
}
