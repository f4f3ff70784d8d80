package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Processes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that ends itself in a completion, and closes what is open in a shutdown hook. */
@Processes
class ExitInCompletionTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"journal", "heap"})
  void theProgramEnds(String what) throws Exception {
    assertThat(FreshJvm.run(ExitInCompletionTest.class, what, directory.toString())).isEqualTo(7);
    assertThat(directory.resolve("closed")).exists();
  }

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    Path data = directory.resolve("data");
    CountDownLatch never = new CountDownLatch(1);
    if (arguments[0].equals("journal")) {
      Journal journal = Journal.builder(data).async(Duration.ofMillis(20)).open();
      closeAtExit(journal, directory);
      for (int i = 0; i < 100; i++) {
        var _ = journal.appendAsync(new byte[10]).thenRun(() -> System.exit(7));
      }
    } else {
      Heap heap = Heap.builder(data).durability(Durability.async(Duration.ofMillis(20))).open();
      closeAtExit(heap, directory);
      Map<String, String> map = heap.map("m", String.class, String.class);
      var _ =
          heap.transactAsync(
              () -> {
                heap.transaction().onCommit(() -> System.exit(7));
                return map.put("a", "b");
              });
    }
    never.await();
  }

  private static void closeAtExit(AutoCloseable open, Path directory) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  try {
                    open.close();
                    Path _ = Files.createFile(directory.resolve("closed"));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                }));
  }
}
