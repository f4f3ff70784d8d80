package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.error.GoneException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A root that is removed while others ask for it is found, or made anew; nothing in between. */
class RootRemovalTest {
  private static final int ROUNDS = 2000;

  @Test
  void askingForAMapNeverFailsBecauseItIsRemovedMeanwhile() throws Exception {
    try (Heap heap = Heap.inMemory()) {
      List<Threads.Running<Integer>> askers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        askers.add(Threads.start("asker " + i, () -> ask(heap)));
      }
      AtomicBoolean done = new AtomicBoolean();
      Threads.Running<Boolean> remover = Threads.start("remover", () -> remove(heap, done));
      for (Threads.Running<Integer> asker : askers) {
        assertThat(asker.result()).isBetween(0, ROUNDS);
      }
      done.set(true);
      assertThat(remover.result()).isTrue();
      assertThat(heap.names()).isSubsetOf("root");
      heap.remove("root");
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  /** Asks for the root again and again and uses it; a handle may be stale, the root may not. */
  private static int ask(Heap heap) {
    int used = 0;
    for (int i = 0; i < ROUNDS; i++) {
      DurableMap<Integer, String> map = heap.map("root", Integer.class, String.class);
      try {
        map.put(i, "value");
        used++;
      } catch (GoneException e) {
        assertThat(e).hasMessageContaining("removed");
      }
      heap.roots();
    }
    return used;
  }

  private static boolean remove(Heap heap, AtomicBoolean done) {
    while (!done.get()) {
      heap.remove("root");
    }
    return true;
  }
}
