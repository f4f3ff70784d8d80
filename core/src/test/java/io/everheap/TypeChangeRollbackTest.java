package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Handles that are made in a transaction which changes a type and is rolled back. */
final class TypeChangeRollbackTest {
  private static final long LARGE = 1L << 40;

  @TempDir Path temp;
  private Path directory;

  @BeforeEach
  void storeWithTheOldTypes() {
    directory = temp.resolve("h");
    try (Heap heap = TestHeaps.open(directory)) {
      heap.map("map", String.class, Integer.class).put("a", 1);
      heap.list("list", Integer.class).add(1);
    }
  }

  private static void rolledBack(Heap heap, Runnable body) {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      body.run();
                      throw new IllegalStateException("roll back");
                    }));
  }

  @Test
  void aHandleOfAMapStoresUnderTheRightType() {
    AtomicReference<@Nullable DurableMap<String, Long>> kept = new AtomicReference<>();
    afterARollback(
        heap -> {
          heap.map("map", String.class, Long.class).put("b", 2L);
          kept.set(heap.map("map", String.class, Long.class));
        },
        heap -> kept.get().put("c", LARGE));
    try (Heap heap = TestHeaps.open(directory)) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.map("map", String.class, Long.class))
          .containsEntry("a", 1L)
          .containsEntry("c", LARGE)
          .hasSize(2);
    }
  }

  @Test
  void aHandleOfAListStoresUnderTheRightType() {
    AtomicReference<@Nullable DurableList<Long>> kept = new AtomicReference<>();
    afterARollback(
        heap -> {
          heap.list("list", Long.class).add(2L);
          kept.set(heap.list("list", Long.class));
        },
        heap -> kept.get().add(LARGE));
    try (Heap heap = TestHeaps.open(directory)) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.list("list", Long.class)).containsExactly(1L, LARGE);
    }
  }

  private void afterARollback(Consumer<Heap> change, Consumer<Heap> store) {
    try (Heap heap = TestHeaps.open(directory)) {
      rolledBack(heap, () -> change.accept(heap));
      store.accept(heap);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
