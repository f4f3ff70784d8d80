package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.heap.OpenHeap;
import java.lang.reflect.Proxy;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The index of roots follows changes and rollbacks, and looks up only what may have changed. */
class RootIndexTest {
  private static final int ROOTS = 500;

  private final Heap heap = Heap.inMemory();
  private final DurableMap<String, Long> roots = heap.map("roots", String.class, Long.class);
  private final RootIndex index =
      new RootIndex(
          OpenHeap.engine(heap).transactions(),
          () -> Optional.of(counted()),
          () -> Optional.of(counted()));
  private int lookups;

  @AfterEach
  void close() {
    heap.close();
  }

  @SuppressWarnings("unchecked")
  private DurableMap<String, Long> counted() {
    return (DurableMap<String, Long>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DurableMap.class},
            (proxy, method, arguments) -> {
              lookups += method.getName().equals("get") ? 1 : 0;
              return method.invoke(roots, arguments);
            });
  }

  private void set(String name, long reference) {
    index.changing(name);
    roots.put(name, reference);
  }

  private void remove(String name) {
    index.changing(name);
    roots.remove(name);
  }

  @Test
  void manyRootsOfOneTransactionAreLookedUpOnceEach() {
    heap.transact(
        () -> {
          for (int i = 0; i < ROOTS; i++) {
            set("root " + i, i);
            assertThat(index.nameOf(i)).isEqualTo("root " + i);
          }
        });
    heap.transact(() -> assertThat(index.nameOf(7)).isEqualTo("root 7"));
    assertThat(lookups).isLessThanOrEqualTo(2 * ROOTS);
    heap.transact(() -> assertThat(index.nameOf(8)).isEqualTo("root 8"));
    assertThat(lookups).isLessThanOrEqualTo(2 * ROOTS);
  }

  @Test
  void aNestedRollbackBringsNamesBack() {
    heap.transact(
        () -> {
          set("a", 1);
          assertThat(index.nameOf(1)).isEqualTo("a");
          assertThatThrownBy(
                  () ->
                      heap.transact(
                          () -> {
                            remove("a");
                            set("b", 1);
                            set("c", 2);
                            assertThat(index.nameOf(1)).isEqualTo("b");
                            assertThat(index.nameOf(2)).isEqualTo("c");
                            throw new NoSuchElementException();
                          }))
              .isInstanceOf(NoSuchElementException.class);
          assertThat(index.nameOf(1)).isEqualTo("a");
          assertThat(index.nameOf(2)).isNull();
          set("c", 3);
          assertThat(index.nameOf(3)).isEqualTo("c");
        });
    heap.transact(
        () -> {
          assertThat(index.nameOf(1)).isEqualTo("a");
          assertThat(index.nameOf(2)).isNull();
          assertThat(index.nameOf(3)).isEqualTo("c");
        });
  }

  @Test
  void aRollbackOfAllBringsNamesBack() {
    heap.transact(() -> set("a", 1));
    assertThatThrownBy(
            () ->
                heap.transact(
                    () -> {
                      remove("a");
                      set("b", 1);
                      assertThat(index.nameOf(1)).isEqualTo("b");
                      throw new NoSuchElementException();
                    }))
        .isInstanceOf(NoSuchElementException.class);
    heap.transact(
        () -> {
          assertThat(index.nameOf(1)).isEqualTo("a");
          set("b", 2);
          assertThat(index.nameOf(2)).isEqualTo("b");
        });
  }

  @Test
  void aHookOfTheProgramThatRunsFirstFindsTheNamesAsTheyAreAfterTheRollback() {
    heap.transact(() -> set("a", 1));
    heap.transact(
        () -> {
          String[] found = new String[1];
          assertThatThrownBy(
                  () ->
                      heap.transact(
                          () -> {
                            heap.transaction().onAbort(() -> found[0] = index.nameOf(1));
                            remove("a");
                            assertThat(index.nameOf(1)).isNull();
                            throw new NoSuchElementException();
                          }))
              .isInstanceOf(NoSuchElementException.class);
          assertThat(found[0]).isEqualTo("a");
        });
  }
}
