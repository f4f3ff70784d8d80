package io.everheap.testkit.error;

import static io.everheap.testkit.error.JournalProgram.record;

import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import io.everheap.testkit.error.HeapPrograms.Setup;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The programs on journals. */
final class JournalPrograms {
  private final Setup setup;

  JournalPrograms(Setup setup) {
    this.setup = setup;
  }

  /** The programs by name. */
  Map<String, Program<Journal>> all() {
    Map<String, Program<Journal>> all = new LinkedHashMap<>();
    all.put("journal", appends());
    all.put("journal cuts", cuts());
    all.put("journal recovery", recovery());
    all.put("journal waits", waits());
    all.put("journal forgotten claim", forgottenClaim());
    return all;
  }

  /** Programs that errors strike in threads of the library. */
  Map<String, Program<Journal>> inTheBackground() {
    return Map.of("journal background", background());
  }

  private JournalProgram program() {
    return program(() -> setup == Setup.DAX ? SimulatedMedium.dax(9) : SimulatedMedium.file(9));
  }

  private JournalProgram program(Supplier<SimulatedMedium> medium) {
    return new JournalProgram(medium, setup != Setup.FILE_ASYNC);
  }

  private JournalProgram appends() {
    return program()
        .step(j -> j.append(record("a", 100)))
        .step(j -> j.append(record("b", 100)))
        .step(j -> j.appendAll(List.of(record("c", 10), record("d", 5000), record("e", 10))))
        .step(j -> j.appendAsync(record("f", 100)).get())
        .step(j -> claim(j, "g"))
        .step(
            j -> {
              try (Claim claim = j.claim(100)) {
                claim.memory().fill((byte) 'x'); // given up
              }
            })
        .step(j -> j.append(record("h", 9000)))
        .step(j -> j.append(record("i", 9000))) // another segment
        .step(j -> j.append(record("j", 40_000))) // larger than a segment
        .step(Journal::force)
        .step(j -> j.append(record("k", 1)));
  }

  private static void claim(Journal journal, String name) {
    try (Claim claim = journal.claim(100)) {
      claim
          .memory()
          .fill((byte) 0)
          .set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) name.charAt(0));
      claim.commit();
    }
  }

  private JournalProgram cuts() {
    JournalProgram before = program();
    for (int i = 0; i < 12; i++) {
      String name = "a" + i;
      before.step(j -> j.append(record(name, 4000)));
    }
    return program(killed(before))
        .step(j -> j.truncateAfter(JournalProgram.sequence(j, 9)))
        .step(j -> j.append(record("b", 100)))
        .step(j -> j.truncateBefore(JournalProgram.sequence(j, 6)))
        .step(j -> j.append(record("c", 9000)))
        .step(j -> j.append(record("d", 9000)))
        .step(j -> j.truncateAfter(JournalProgram.sequence(j, 1)));
  }

  private JournalProgram recovery() {
    JournalProgram before =
        program()
            .step(j -> j.append(record("a", 9000)))
            .step(j -> j.append(record("b", 9000)))
            .step(j -> j.append(record("c", 100)));
    return program(killed(before)).strikingOpening().step(j -> j.append(record("d", 100)));
  }

  /** What a reader that waits leaves behind must keep no appender from going on. */
  private JournalProgram waits() {
    return program()
        .step(j -> j.append(record("a", 100)))
        .step(JournalPrograms::awaitNothing)
        .step(j -> Program.elsewhere(() -> j.append(record("b", 100))))
        .step(JournalPrograms::awaitNothing)
        .step(j -> j.append(record("c", 100)));
  }

  private JournalProgram forgottenClaim() {
    return program().forgettingClaims().step(j -> j.append(record("a", 100)));
  }

  private static void awaitNothing(Journal journal) throws InterruptedException {
    try (JournalReader reader = journal.reader(journal.nextSequence())) {
      if (reader.next(Duration.ofMillis(2))) {
        throw new AssertionError("a record out of nowhere");
      }
    }
  }

  private JournalProgram background() {
    JournalProgram before = program().step(j -> j.append(record("a", 9000)));
    JournalProgram program = program(killed(before)).background().strikingOpening();
    for (int i = 0; i < 10; i++) {
      String name = "b" + i;
      program.step(j -> j.append(record(name, 5000)));
    }
    return program.step(Journal::force);
  }

  private static Supplier<SimulatedMedium> killed(JournalProgram first) {
    CrashImage[] left = new CrashImage[1];
    return () -> {
      synchronized (left) {
        if (left[0] == null) {
          SimulatedMedium medium = first.medium();
          Journal journal = first.open(medium);
          for (int step = 0; step < first.steps(); step++) {
            try {
              first.step(journal, step, -1);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
          left[0] = medium.image();
          journal.close();
        }
        return left[0].processKill();
      }
    };
  }
}
