package io.everheap.loader;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A program that is run in a class loader of a test: the first call opens and uses something, the
 * second one, when the loader is closed, closes it. Whatever the second one needs of the program is
 * loaded by the first one.
 */
public final class LoaderProgram implements Function<String, Object> {
  private AutoCloseable opened;
  private Path directory;

  /** For the test. */
  public LoaderProgram() {}

  @Override
  public Object apply(String step) {
    try {
      if (step.startsWith("close")) {
        opened.close();
        return null;
      }
      if (step.equals("fail")) {
        return fail();
      }
      List<String> words = Arrays.asList(step.split(" ", 2));
      directory = Path.of(words.get(1));
      opened = open(words.get(0));
      settle();
      return null;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until the threads of the library wait for work; one of them finishes an opening. */
  private static void settle() throws InterruptedException {
    while (Thread.getAllStackTraces().entrySet().stream()
        .anyMatch(thread -> isAtWork(thread.getKey(), thread.getValue()))) {
      Thread.sleep(1);
    }
  }

  private static boolean isAtWork(Thread thread, StackTraceElement[] stack) {
    return thread.getName().startsWith("everheap-")
        && (thread.getState() == Thread.State.RUNNABLE
            || Arrays.stream(stack).anyMatch(at -> at.getMethodName().equals("finishRecovery")));
  }

  private AutoCloseable open(String what) throws Exception {
    Class.forName(Heap.class.getName()); // what this class names is loaded by it
    return switch (what) {
      case "idle" -> Heap.open(directory);
      case "memory" -> used(Heap.inMemory());
      case "heap" -> used(Heap.open(directory));
      case "async" ->
          used(
              Heap.builder(directory)
                  .durability(Durability.async(Duration.ofHours(1)))
                  .collectAutomatically(0.1)
                  .open());
      case "reader" -> {
        used(Heap.open(directory)).close();
        Heap heap = Heap.builder(directory).readOnly().open();
        heap.map("m", String.class, String.class).get("a");
        yield heap;
      }
      case "large" -> {
        Heap heap = Heap.builder(directory).archive(directory.resolveSibling("backups")).open();
        heap.sortedMap("s", String.class, byte[].class).put("a", new byte[1 << 20]);
        Map<Integer, byte[]> map = heap.map("l", Integer.class, byte[].class);
        for (int i = 0; i < 300; i++) {
          map.put(i, new byte[i * 100]);
        }
        map.clear();
        heap.region("r", 1 << 16).force(0, 8);
        heap.checkpoint();
        yield used(heap);
      }
      case "encrypted" ->
          used(Heap.builder(directory).encrypt(KeyProvider.of(new byte[32])).open());
      case "journal" -> used(Journal.builder(directory).open());
      case "asyncJournal" -> used(Journal.builder(directory).async(Duration.ofHours(1)).open());
      default -> throw new IllegalArgumentException(what);
    };
  }

  private static Heap used(Heap heap) {
    Map<String, String> map = heap.map("m", String.class, String.class);
    map.put("a", "b");
    return heap;
  }

  private static Journal used(Journal journal) {
    journal.append(new byte[10]);
    return journal;
  }

  /** Cuts off all files, and uses the heap or journal; tells how that failed. */
  private String fail() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        try (var cut = new RandomAccessFile(file.toFile(), "rw")) {
          cut.setLength(0);
        }
      }
    }
    try {
      if (opened instanceof Heap heap) {
        used(heap);
      } else {
        used((Journal) opened);
      }
      return "nothing";
    } catch (RuntimeException | Error e) {
      return e.getClass().getName() + ": " + e.getMessage();
    }
  }
}
