package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.everheap.Heap;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
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
  private static final int MOST_ROUNDS = 50_000;

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
        static Object garbage(Heap heap) {
          heap.free(heap.transact(() -> Link.make(heap)));
          return heap;
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

  private void readsLeaveNoGarbage(Program program) {
    try (Heap heap = Heap.open(directory)) {
      Object links = program.call("Loops", "links", heap);
      assertThat(garbage(program, links, "values")).isZero();
      assertThat(garbage(program, links, "nextValues")).isZero();
      assertThat(garbage(program, links, "thirdValues")).isZero();
      assertThat(program.call("Loops", "garbage", heap)).isSameAs(heap);
      assertThat(garbage(program, links, "thirdValues")).isZero();
    }
  }

  @Test
  void ofInterfaces() {
    readsLeaveNoGarbage(Program.plain(INTERFACE, LOOPS));
  }

  @Test
  void ofWovenClasses() {
    readsLeaveNoGarbage(Program.woven(CLASS, LOOPS));
  }

  @Test
  void withACacheOfIdentities() {
    Program program = Program.woven(CLASS, LOOPS);
    try (Heap heap = Heap.builder(directory).identityCache().open()) {
      Object links = program.call("Loops", "links", heap);
      assertThat(garbage(program, links, "same")).isZero();
      assertThat(garbage(program, links, "thirdValues")).isZero();
    }
  }
}
