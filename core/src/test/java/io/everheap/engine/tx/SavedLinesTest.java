package io.everheap.engine.tx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SavedLinesTest {
  @Test
  void everyLineIsFoundWithAllItsWords() {
    Random random = new Random(1);
    Map<Long, Long> model = new HashMap<>();
    SavedLines lines = new SavedLines();
    for (int i = 0; i < 5_000; i++) {
      long line = i % 3 == 0 ? i : random.nextLong() >>> 6;
      if (model.containsKey(line)) {
        continue;
      }
      lines = add(lines, line, i);
      model.put(line, (long) i);
      assertThat(lines.count()).isEqualTo(model.size());
    }
    requireLines(lines, model);
    assertThat(lines.word(1L << 60, 0)).as("a line that was not added").isZero();
  }

  @Test
  void aTableThatWasReplacedStillHasItsLines() {
    Map<Long, Long> model = new HashMap<>();
    SavedLines lines = new SavedLines();
    SavedLines first = lines;
    Map<Long, Long> atFirst = Map.of();
    for (long line = 0; line < 3_000; line++) {
      SavedLines next = lines.withRoom();
      if (lines == first && next != first) {
        atFirst = Map.copyOf(model);
      }
      lines = add(lines, line, line * 5);
      model.put(line, line * 5);
    }
    assertThat(atFirst).as("half of the slots are used").hasSize(512);
    requireLines(first, atFirst);
    assertThat(first.count()).isEqualTo(512);
    requireLines(lines, model);
  }

  @Test
  void aTableWithRoomStaysTheSame() {
    SavedLines lines = new SavedLines();
    for (long line = 0; line < 512; line++) {
      assertThat(lines.withRoom()).isSameAs(lines);
      add(lines, line, line);
    }
    assertThat(lines.withRoom()).isNotSameAs(lines);
  }

  private static SavedLines add(SavedLines lines, long line, long seed) {
    SavedLines table = lines.withRoom();
    long[] words = table.add(line);
    int start = table.lastStart();
    for (int word = 0; word < 8; word++) {
      words[start + word] = word(seed, word);
    }
    return table;
  }

  private static void requireLines(SavedLines lines, Map<Long, Long> model) {
    model.forEach(
        (line, seed) -> {
          for (int word = 0; word < 8; word++) {
            assertThat(lines.word(line, word)).isEqualTo(word(seed, word));
          }
        });
  }

  private static long word(long seed, int index) {
    return (seed + 1) * 31 + index;
  }
}
