package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.report.VerifyProgress;
import io.everheap.salvage.Salvage;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What salvage makes of records that several versions of a program wrote. */
class SalvageTypesTest {
  @TempDir private Path directory;

  @Test
  void dataOfManyVersionsIsSaved() {
    List<Places> places =
        Arrays.stream(Places.values()).filter(place -> !Places.KEYS.contains(place)).toList();
    for (Version version : Version.SUCCESSIVE) {
      Compiled program = version.compile(directory);
      try (Heap heap = ObjectHeaps.open(directory.resolve("heap"))) {
        for (Places place : places) {
          place.add(heap, program, version.type(program), version.make(program));
        }
      }
    }
    Path saved = directory.resolve("saved");
    Salvage.run(directory.resolve("heap"), saved, VerifyProgress.NONE);
    Version last = Version.SUCCESSIVE.getLast();
    Compiled program = last.compile(directory);
    try (Heap heap = ObjectHeaps.open(saved)) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.verify().notChecked()).isEmpty();
      for (Places place : places) {
        assertThat(place.of(heap, program, last.type(program)))
            .as("%s", place)
            .extracting(String::valueOf)
            .containsOnly(Version.AS_THE_LAST_READS.toArray(String[]::new))
            .contains(Version.AS_THE_LAST_READS.toArray(String[]::new));
      }
    }
  }
}
