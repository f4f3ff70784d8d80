package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.log.KeptLog.Entry;
import io.everheap.engine.log.KeptLog.Part;
import io.everheap.engine.log.Log;
import io.everheap.engine.log.PartLayout;
import io.everheap.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The parts and entries of a record, and the space that is reserved for them. */
class RecordWriterTest {
  private final TransactionsRig rig = new TransactionsRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private void put(long address, long... words) {
    for (int i = 0; i < words.length; i++) {
      rig.memory.putLong(Stripes.NONE, address + 8L * i, words[i]);
    }
  }

  private Entry run(long address, int words) {
    List<Long> values = new ArrayList<>();
    for (int i = 0; i < words; i++) {
      values.add(rig.home.getLong(address + 8L * i));
    }
    return new Entry(false, address, 8, values);
  }

  private void requirePart(int bytes) {
    assertThat(rig.log.reserved).containsExactly((long) bytes);
    assertThat(rig.log.parts).hasSize(1);
    Part part = rig.log.parts.getFirst();
    assertThat(part.more()).isFalse();
    assertThat(part.reserved())
        .isEqualTo((int) PartLayout.align((long) PartLayout.HEADER_SIZE + bytes));
    rig.requireReplayed();
  }

  @Test
  void consecutiveWordsOfALineAreOneRun() {
    rig.transact(
        () -> {
          put(AT, 1, 2);
          put(AT + 24, 3);
          put(AT + 40, 4, 5, 6);
        });
    assertThat(rig.log.entries())
        .containsExactly(
            Entry.run(AT, 1L, 2L), Entry.run(AT + 24, 3L), Entry.run(AT + 40, 4L, 5L, 6L));
    requirePart(8 * (6 + 3));
    rig.transact(() -> put(AT, 9, 8, 7, 6, 5, 4, 3, 2));
    assertThat(rig.log.entries()).containsExactly(run(AT, 8));
    requirePart(8 * (8 + 1));
  }

  @Test
  void aRunContinuesInTheNextLine() {
    rig.transact(() -> put(AT + 48, 1, 2, 3, 4));
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT + 48, 1L, 2L, 3L, 4L));
    rig.requireReplayed();
    rig.transact(
        () -> {
          put(AT + 64, 5); // the lines are in the order of their first store
          put(AT + 56, 6);
        });
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT + 64, 5L), Entry.run(AT + 56, 6L));
    rig.requireReplayed();
    rig.transact(
        () -> {
          put(AT + 56, 7);
          put(AT + 72, 8);
        });
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT + 56, 7L), Entry.run(AT + 72, 8L));
    rig.requireReplayed();
  }

  @Test
  void fillsComeFirst() {
    rig.transact(
        () -> {
          put(AT + 8, 1);
          rig.memory.fillWords(AT, 8, 3, 2);
          rig.memory.fillWords(AT + 64, 16, 2, 3);
        });
    assertThat(rig.log.entries())
        .containsExactly(
            Entry.fill(AT, 8, 3, 2), Entry.fill(AT + 64, 16, 2, 3), Entry.run(AT + 8, 1L));
    assertThat(rig.memory.getLong(AT + 8)).as("a later store").isEqualTo(1);
    requirePart(2 * 24 + 16);
    rig.transact(
        () -> {
          rig.memory.fillWords(AT, 8, 3, 2);
          rig.memory.fillWords(AT + 64, 16, 2, 3);
        });
    requirePart(2 * 24);
  }

  @Test
  void aFillIsDirtyInAllItsPages() {
    rig.transact(() -> rig.memory.fillWords(AT, 4096, 3, 2));
    for (int page = 0; page < 4; page++) {
      assertThat(rig.home.dirty().contains(AT + 4096L * page)).isEqualTo(page < 3);
    }
  }

  @Test
  void aFreshBlockIsLoggedAsAWholeWithTheStoredHeader() {
    rig.transact(
        () -> {
          for (int i = 0; i < 6; i++) {
            rig.memory.initLong(AT + 8L * i, 10 + i);
          }
          put(AT, 77); // the header
          put(AT + 64, 5);
          int header = rig.memory.stored(AT);
          rig.participant.fresh = sink -> sink.block(AT, 48, header);
        });
    assertThat(rig.log.entries())
        .containsExactly(Entry.run(AT, 77L, 11L, 12L, 13L, 14L, 15L), Entry.run(AT + 64, 5L));
    rig.requireReplayed();
    assertThat(rig.memory.getLong(AT)).isEqualTo(77);
    rig.transact(() -> put(AT, 78));
    assertThat(rig.log.entries()).as("of a later transaction").containsExactly(Entry.run(AT, 78L));
  }

  @Test
  void aHeaderAtTheIndexZeroIsLoggedOnce() {
    rig.transact(
        () -> {
          put(AT, 77);
          assertThat(rig.memory.stored(AT)).isZero();
          put(AT + 16, 78);
          rig.participant.fresh = sink -> sink.block(AT, 16, 0);
        });
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT, 77L, 0L), Entry.run(AT + 16, 78L));
    rig.requireReplayed();
  }

  @Test
  void aRecordThatFitsIsOnePart() {
    rig.transact(() -> rig.participant.fresh = sink -> sink.block(AT, 8, -1));
    requirePart(16);
    rig.transact(() -> rig.participant.fresh = sink -> sink.block(AT, 40, -1));
    requirePart(48);
    rig.transact(() -> put(AT, 1));
    requirePart(16);
    int most = PartLayout.MAX_PART - PartLayout.HEADER_SIZE;
    rig.transact(() -> rig.participant.fresh = sink -> sink.block(AT, most - 8, -1));
    requirePart(most);
    rig.transact(
        () -> {
          for (int i = 0; i < most / 16; i++) {
            put(AT + 16L * i, i);
          }
        });
    requirePart(most);
  }

  @Test
  void manyFreshBlocksAreMarkedAndLogged() {
    int blocks = 300;
    rig.transact(
        () ->
            rig.participant.fresh =
                sink -> {
                  for (int i = 0; i < blocks; i++) {
                    rig.home.putLong(AT + 4096L * i, i);
                    sink.block(AT + 4096L * i, i == 9 ? 4104 : 16, -1);
                  }
                });
    assertThat(rig.log.entries()).hasSize(blocks);
    for (int i = 0; i < blocks; i++) {
      assertThat(rig.home.dirty().contains(AT + 4096L * i)).isTrue();
      assertThat(rig.log.entries().get(i)).isEqualTo(run(AT + 4096L * i, i == 9 ? 513 : 2));
    }
    assertThat(rig.home.dirty().contains(AT + 4096L * blocks)).isFalse();
    rig.requireReplayed();
    rig.transact(() -> put(AT, 1));
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT, 1L));
  }

  @Test
  void aRunThatIsLongerThanAPartFillsThePartToItsLastByte() {
    int words = 5 + 8 * 600; // the lines after the first five words end where the part does
    rig.transact(
        () -> {
          for (int i = 0; i < words; i++) {
            put(AT + 24 + 8L * i, i + 1);
          }
        });
    int first = (PartLayout.MAX_PART - PartLayout.HEADER_SIZE) / 8 - 1;
    assertThat(rig.log.parts).hasSize(3);
    assertThat(rig.log.parts.getFirst().size()).isEqualTo(PartLayout.MAX_PART);
    assertThat(rig.log.parts.getFirst().entries()).containsExactly(run(AT + 24, first));
    assertThat(rig.log.entries())
        .extracting(entry -> entry.words().size())
        .satisfies(sizes -> assertThat(sizes.stream().mapToInt(n -> n).sum()).isEqualTo(words));
    requireParts();
    rig.requireReplayed();
  }

  /** Each record is written as {@link Log#reserve} demands, and replayed. */
  @Test
  void aLargeRecordHasPartsThatAreMostlyFull() {
    Random random = new Random(Seeds.seed());
    for (int i = 0; i < 120; i++) {
      boolean large = i % 4 == 0;
      rig.transact(
          () -> {
            for (int n = random.nextInt(large ? 1500 : 5); n > 0; n--) {
              rig.memory.fillWords(
                  AT + 8L * random.nextInt(1000), 8, 1 + random.nextInt(5), random.nextLong());
            }
            for (int n = random.nextInt(large ? 2000 : 20); n > 0; n--) {
              put(AT + 16_000 + 8L * random.nextInt(4000), random.nextLong());
            }
            int blocks = random.nextInt(large ? 100 : 3);
            rig.participant.fresh =
                sink -> {
                  long at = AT + (1 << 16);
                  for (int n = 0; n < blocks; n++) {
                    int bytes = 8 + 8 * random.nextInt(n % 20 == 0 ? 5000 : 30);
                    for (int word = 0; word < bytes; word += 8) {
                      rig.home.putLong(at + word, random.nextLong());
                    }
                    sink.block(at, bytes, -1);
                    at += bytes + 8L * random.nextInt(3);
                  }
                };
          });
      requireParts();
      rig.requireReplayed();
    }
  }

  private void requireParts() {
    List<Part> parts = rig.log.parts;
    long entries = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      boolean last = i == parts.size() - 1;
      assertThat(part.more()).isEqualTo(!last);
      assertThat(part.reserved()).isLessThanOrEqualTo(Log.maxPart());
      assertThat(part.size()).isLessThanOrEqualTo(part.reserved());
      if (!last) {
        assertThat(part.size()).isGreaterThanOrEqualTo(Log.maxPart() - 64 - 8);
      }
      long size = part.size() - PartLayout.HEADER_SIZE;
      long counted = 0;
      for (Entry entry : part.entries()) {
        counted += entry.fill() ? 24 : 8 + 8L * entry.words().size();
      }
      assertThat(size).isEqualTo(counted);
      entries += size;
    }
    if (!parts.isEmpty()) {
      assertThat(rig.log.reserved).hasSize(1);
      long reserved = rig.log.reserved.getFirst();
      int splits = 2 * (parts.size() - 1); // an entry that is split has one more word
      assertThat(entries - 8L * splits).isLessThanOrEqualTo(reserved);
      if (reserved <= Log.maxPart() - PartLayout.HEADER_SIZE) {
        assertThat(parts).as("a record of %d bytes", reserved).hasSize(1);
      }
    }
  }
}
