package io.everheap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EverheapException;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Heaps and backups in directories with unusual and with very long names. */
@Campaign
class UnusualDirectoriesTest {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(strings = {"a b", "-rf", "a%20b", "a\nb", "C:\\x", "${x}", "'\"`", "*?", "..."})
  void aHeapAndItsBackups(String name) {
    keepAndRestore(temp.resolve(name));
  }

  @Test
  void aNameAsLongAsANameMayBe() {
    keepAndRestore(temp.resolve("x".repeat(255)));
  }

  private static void keepAndRestore(Path directory) {
    Path heap = directory.resolve("heap");
    TestHeaps.create(heap, 3);
    TestHeaps.assertHolds(heap, 3);
    Backups backups = Backups.in(directory.resolve("backups"));
    try (Heap open = Heap.builder(heap).archive(directory.resolve("backups")).open()) {
      backups.take(open);
    }
    backups.restore(backups.newest(), directory.resolve("restored"));
    TestHeaps.assertHolds(directory.resolve("restored"), 3);
  }

  @Test
  void aPathAlmostAsLongAsAPathMayBe() throws IOException {
    Path directory = temp;
    while (directory.toString().length() < 3_400) {
      directory = directory.resolve("y".repeat(200));
    }
    Files.createDirectories(directory);
    keepAndRestore(directory);
  }

  @Test
  void aPathThatIsTooLongIsRefused() {
    Path directory = temp;
    while (directory.toString().length() < 4_200) {
      directory = directory.resolve("y".repeat(200));
    }
    Path tooLong = directory;
    assertThatThrownBy(() -> Heap.open(tooLong)).isInstanceOf(EverheapException.class);
  }
}
