package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.journal.Journal;
import io.everheap.support.Limit;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Threads of a heap or journal keep nothing of the application that opened it. */
class ThreadsInheritNothingTest {
  private static final InheritableThreadLocal<Object> LOCAL = new InheritableThreadLocal<>();

  @TempDir Path directory;

  @Test
  void aThreadHasNoThreadLocalsAndTheLibrarysLoader() throws Exception {
    var seen = new AtomicReference<Object>("none");
    var loader = new AtomicReference<ClassLoader>();
    try (URLClassLoader application = new URLClassLoader(new URL[0])) {
      Thread.currentThread().setContextClassLoader(application);
      LOCAL.set(application);
      Thread thread =
          Threads.daemon(
              "everheap-test",
              () -> {
                seen.set(LOCAL.get());
                loader.set(Thread.currentThread().getContextClassLoader());
              });
      Threads.start(thread);
      Limit.join(thread);
    } finally {
      LOCAL.remove();
      Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
    }
    assertThat(seen.get()).isNull();
    assertThat(loader.get()).isSameAs(Threads.class.getClassLoader());
  }

  @Test
  void noThreadHasTheContextLoaderOfTheOpener() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (URLClassLoader application = new URLClassLoader(new URL[0])) {
      Thread.currentThread().setContextClassLoader(application);
      try (Heap heap =
              Heap.builder(directory.resolve("heap"))
                  .durability(Durability.async(Duration.ofMillis(5)))
                  .collectAutomatically(0.5)
                  .open();
          Journal journal =
              Journal.builder(directory.resolve("journal")).async(Duration.ofMillis(5)).open()) {
        Map<String, String> map = heap.map("m", String.class, String.class);
        Limit.get(heap.transactAsync(() -> map.put("a", "b")).toCompletableFuture());
        Limit.get(journal.appendAsync(new byte[10]));
        map.clear();
        Set<Thread> ours = new HashSet<>(Thread.getAllStackTraces().keySet());
        ours.removeAll(before);
        ours.removeIf(thread -> !thread.getName().startsWith("everheap"));
        assertThat(ours).hasSizeGreaterThan(3);
        assertThat(ours)
            .allSatisfy(
                thread -> assertThat(thread.getContextClassLoader()).isNotSameAs(application));
      } finally {
        Thread.currentThread().setContextClassLoader(getClass().getClassLoader());
      }
    }
  }
}
