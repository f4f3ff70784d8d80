package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledMutantsTest {
  private static final List<String> IDS = List.of("c", "a", "b", "i", "d", "e", "f", "g", "h");

  @TempDir Path dir;

  @Test
  void whatWasKilledIsReadAgain() throws IOException {
    Path file = Files.write(dir.resolve("killed"), List.of("# comment"));
    KilledMutants killed = KilledMutants.read(file);
    killed.add("io.A", "12ab", IDS, Set.of("a", "i"));
    killed.add("io.B", "12ab", IDS, Set.of());
    killed.write(file);
    assertThat(file).content().isEqualTo("# comment\nio.A 12ab 9 0101\nio.B 12ab 9 \n");

    KilledMutants again = KilledMutants.read(file);
    assertThat(again.of("io.A", "12ab", IDS)).containsExactly("a", "i");
    assertThat(again.of("io.B", "12ab", IDS)).isEmpty();
  }

  @Test
  void mutantsOfOneSourceAddUp() throws IOException {
    KilledMutants killed = KilledMutants.read(dir.resolve("missing"));
    killed.add("io.A", "1", IDS, Set.of("a"));
    killed.add("io.A", "1", IDS, Set.of("c"));
    assertThat(killed.of("io.A", "1", IDS)).containsExactly("a", "c");
  }

  @Test
  void anotherSourceOrOtherMutantsBeginAnew() throws IOException {
    KilledMutants killed = KilledMutants.read(dir.resolve("missing"));
    killed.add("io.A", "1", IDS, Set.of("a", "b"));
    assertThat(killed.of("io.A", "2", IDS)).isEmpty();
    assertThat(killed.of("io.A", "1", IDS.subList(1, 9))).isEmpty();
    killed.add("io.A", "2", IDS, Set.of("c"));
    assertThat(killed.of("io.A", "2", IDS)).containsExactly("c");
    assertThat(killed.of("io.A", "1", IDS)).isEmpty();
  }
}
