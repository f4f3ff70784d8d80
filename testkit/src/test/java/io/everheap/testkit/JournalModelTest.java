package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Random operations, closes and kills do to a journal what they do to a list. */
class JournalModelTest {
  enum Kind {
    APPEND,
    APPEND_LARGE,
    BATCH,
    CLAIM,
    ABORT,
    RELEASE,
    CUT,
    READ,
    FORCE,
    CLOSE,
    KILL
  }

  /** One operation. */
  record Step(Kind kind, int number) {}

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(Arbitraries.of(Kind.class), Arbitraries.integers().between(0, 3000))
        .as(Step::new)
        .list()
        .ofMinSize(1)
        .ofMaxSize(120);
  }

  @Property(tries = 60)
  void inMemoryFirst(@ForAll("steps") List<Step> steps) {
    follow(steps, SimulatedMedium.file(1), true);
  }

  @Property(tries = 60)
  void throughAMapping(@ForAll("steps") List<Step> steps) {
    follow(steps, SimulatedMedium.file(1), false);
  }

  @Property(tries = 60)
  void onByteAddressableStorage(@ForAll("steps") List<Step> steps) {
    follow(steps, SimulatedMedium.dax(1), true);
  }

  private static void follow(List<Step> steps, SimulatedMedium start, boolean sync) {
    SimulatedMedium medium = start;
    List<byte[]> model = new ArrayList<>();
    int first = 0;
    int made = 0;
    Journal journal = JournalProcess.builder(medium, sync).open();
    try (JournalReader reader = journal.reader()) {
      assertThat(reader.next()).isFalse();
    }
    for (Step step : steps) {
      int present = model.size() - first;
      switch (step.kind()) {
        case APPEND -> {
          byte[] record = record(++made, step.number() % 400);
          assertThat(journal.append(record)).isEqualTo(model.size());
          model.add(record);
        }
        case APPEND_LARGE -> {
          byte[] record = record(++made, 10 * step.number());
          assertThat(journal.append(record)).isEqualTo(model.size());
          model.add(record);
        }
        case BATCH -> {
          List<byte[]> batch = new ArrayList<>();
          for (int i = 0; i <= step.number() % 9; i++) {
            batch.add(record(++made, step.number()));
          }
          assertThat(journal.appendAll(batch)).isEqualTo(model.size());
          model.addAll(batch);
        }
        case CLAIM, ABORT -> {
          byte[] record = record(++made, step.number());
          try (Claim claim = journal.claim(record.length)) {
            claim.memory().copyFrom(MemorySegment.ofArray(record));
            if (step.kind() == Kind.CLAIM) {
              assertThat(claim.commit()).isEqualTo(model.size());
              model.add(record);
            }
          }
        }
        case RELEASE -> {
          first += step.number() % (present + 1);
          journal.truncateBefore(first);
        }
        case CUT -> {
          int kept = first + step.number() % (present + 1);
          journal.truncateAfter(kept - 1);
          model = new ArrayList<>(model.subList(0, kept));
        }
        case READ -> {
          if (present > 0) {
            int sequence = first + step.number() % present;
            assertThat(journal.read(sequence)).isEqualTo(model.get(sequence));
          }
        }
        case FORCE -> {
          journal.force();
          assertThat(journal.durableSequence()).isEqualTo(model.size());
        }
        case CLOSE -> {
          journal.close();
          medium = medium.processKill();
          journal = JournalProcess.builder(medium, sync).open();
          assertThat(journal.info().recovered()).isFalse();
        }
        case KILL -> {
          medium = medium.processKill();
          journal = JournalProcess.builder(medium, sync).open();
        }
        default -> throw new AssertionError(step);
      }
      check(journal, model, first);
    }
    journal.close();
  }

  private static byte[] record(int number, int length) {
    byte[] bytes = new byte[length];
    new Random(number).nextBytes(bytes);
    return bytes;
  }

  private static void check(Journal journal, List<byte[]> model, int first) {
    assertThat(journal.firstSequence()).isEqualTo(first);
    assertThat(journal.nextSequence()).isEqualTo(model.size());
    try (JournalReader reader = journal.reader()) {
      for (int s = first; s < model.size(); s++) {
        assertThat(reader.next()).isTrue();
        assertThat(reader.bytes()).isEqualTo(model.get(s));
      }
      assertThat(reader.next()).isFalse();
    }
  }
}
