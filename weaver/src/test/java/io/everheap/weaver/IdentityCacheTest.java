package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.GoneException;
import io.everheap.support.Limit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With a cache of identities, the same object is the same handle. */
@SuppressWarnings("ReferenceEquality") // that is what it tests
class IdentityCacheTest {
  private static final Program PROGRAM =
      Program.woven(
          "@Durable public class Node { Node next; int id; transient int mark; Node() { next = this; }"
              + " @OnAttach void attached() { mark = 5; } boolean isNext(Node n) { return n == next; }"
              + " int mark() { return mark; } void mark(int m) { mark = m; } }",
          "@Durable public interface Leaf { Leaf next(); void next(Leaf value); }");

  @TempDir private Path directory;

  private Heap open() {
    return Heap.builder(directory).identityCache().open();
  }

  @Test
  void oneObjectIsOneHandle() {
    try (Heap heap = open()) {
      Object node = heap.object("node", PROGRAM.type("Node"));
      assertThat(Program.on(node, "isNext", node)).isEqualTo(true);
      Program.on(node, "mark", 7);
      assertThat(heap.object("node", PROGRAM.type("Node"))).isSameAs(node);
      assertThat(Program.on(node, "mark")).isEqualTo(7);
      Object leaf = heap.create(PROGRAM.type("Leaf"));
      Program.on(leaf, "next", leaf);
      assertThat(Program.on(leaf, "next")).isSameAs(leaf);
    }
    try (Heap heap = open()) {
      Object node = heap.object("node", PROGRAM.type("Node"));
      assertThat(Program.on(node, "mark")).isEqualTo(5);
      assertThat(Program.on(node, "isNext", node)).isEqualTo(true);
    }
    try (Heap heap = Heap.open(directory)) {
      Object node = heap.object("node", PROGRAM.type("Node"));
      assertThat(Program.on(node, "isNext", node)).isEqualTo(false);
    }
  }

  @Test
  void whatWasRolledBackOrFreedIsForgotten() {
    try (Heap heap = open()) {
      var nodes = heap.map("nodes", Integer.class, PROGRAM.type("Node"));
      List<Object> lost = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(
                () ->
                    heap.transact(
                        () -> {
                          Object made = PROGRAM.make("Node");
                          Program.on(made, "mark", 9);
                          lost.add(made);
                          throw new IllegalStateException("no");
                        }))
            .hasMessage("no");
        Object made = heap.transact(() -> nodes.merge(1, PROGRAM.make("Node"), (a, b) -> b));
        assertThat(lost).noneMatch(each -> each == made);
        assertThat(nodes.get(1)).isSameAs(made);
        assertThat(Program.on(made, "mark")).isEqualTo(0);
      }
      Object freed = nodes.remove(1);
      heap.free(freed);
      assertThatThrownBy(() -> Program.on(freed, "isNext", freed))
          .isInstanceOf(GoneException.class);
    }
  }

  @Test
  void threadsAgreeOnTheHandle() throws InterruptedException {
    try (Heap heap = open()) {
      heap.object("node", PROGRAM.type("Node"));
    }
    try (Heap heap = open()) {
      List<Object> found = new CopyOnWriteArrayList<>();
      CountDownLatch start = new CountDownLatch(1);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        threads.add(
            Thread.startVirtualThread(
                () -> {
                  try {
                    Limit.await(start);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                  found.add(heap.object("node", PROGRAM.type("Node")));
                }));
      }
      start.countDown();
      for (Thread thread : threads) {
        Limit.join(thread);
      }
      assertThat(found).hasSize(4).allMatch(each -> each == found.getFirst());
    }
  }

  @Test
  void threadsAgreeOnTheHandlesOfManyObjects() throws Exception {
    int objects = 3000;
    try (Heap heap = open()) {
      var nodes = heap.map("nodes", Integer.class, PROGRAM.type("Node"));
      heap.transact(
          () -> {
            for (int i = 0; i < objects; i++) {
              nodes.put(i, PROGRAM.make("Node"));
            }
          });
    }
    try (Heap heap = open();
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      var nodes = heap.map("nodes", Integer.class, PROGRAM.type("Node"));
      Callable<List<Object>> reader =
          () -> {
            List<Object> found = new ArrayList<>();
            for (int i = 0; i < objects; i++) {
              found.add(nodes.get(i));
            }
            return found;
          };
      List<Future<List<Object>>> readers = threads.invokeAll(List.of(reader, reader, reader));
      List<Object> first = readers.getFirst().get();
      for (Future<List<Object>> each : readers) {
        for (int i = 0; i < objects; i++) {
          assertThat(each.get().get(i)).isSameAs(first.get(i));
        }
      }
    }
  }
}
