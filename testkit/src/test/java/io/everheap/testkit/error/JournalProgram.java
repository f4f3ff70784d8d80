package io.everheap.testkit.error;

import io.everheap.error.StoppedException;
import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** A program on a journal. Its own records begin with a letter; others do not count. */
final class JournalProgram implements Program<Journal> {
  private static final byte OTHER = '-';

  /** One step. */
  interface Step {
    void run(Journal journal) throws Exception;
  }

  private final Supplier<SimulatedMedium> medium;
  private final boolean sync;
  private final List<Step> steps = new ArrayList<>();
  private boolean background;
  private boolean strikesOpening;
  private boolean forgetsClaims;
  private final Set<Journal> withClaim = ConcurrentHashMap.newKeySet();

  JournalProgram(Supplier<SimulatedMedium> medium, boolean sync) {
    this.medium = medium;
    this.sync = sync;
  }

  JournalProgram step(Step step) {
    steps.add(step);
    return this;
  }

  JournalProgram background() {
    background = true;
    return this;
  }

  JournalProgram strikingOpening() {
    strikesOpening = true;
    return this;
  }

  /** A thread has a claim, and does not end it, when a journal is closed. */
  JournalProgram forgettingClaims() {
    forgetsClaims = true;
    return this;
  }

  /** A record of the program: its name, and zeros. */
  static byte[] record(String name, int size) {
    return Arrays.copyOf(name.getBytes(StandardCharsets.US_ASCII), size);
  }

  /** The sequence of the program's n-th record. */
  static long sequence(Journal journal, int n) {
    return sequences(journal).get(n);
  }

  private static List<Long> sequences(Journal journal) {
    List<Long> sequences = new ArrayList<>();
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        if (reader.bytes()[0] != OTHER) {
          sequences.add(reader.sequence());
        }
      }
    }
    return sequences;
  }

  @Override
  public SimulatedMedium medium() {
    return medium.get();
  }

  @Override
  public Journal open(SimulatedMedium on) {
    JournalBuilder builder;
    try {
      builder =
          MediumSetting.medium(Journal.builder(Path.of(on.location())), on).segmentSize(16 << 10);
      if (!background) {
        MediumSetting.withoutThreads(builder);
      }
      Duration interval = background ? Duration.ofMillis(1) : Duration.ofMinutes(30);
      builder = sync ? builder.sync() : builder.async(interval);
    } catch (Throwable t) {
      on.close(); // nothing else has it yet
      throw t;
    }
    return builder.open();
  }

  @Override
  public boolean strikesOpening() {
    return strikesOpening;
  }

  @Override
  public int steps() {
    return steps.size();
  }

  @Override
  public void step(Journal journal, int step, int skipped) throws Exception {
    steps.get(step).run(journal);
  }

  @Override
  public Object contents(Journal journal) {
    List<String> records = new ArrayList<>();
    try (JournalReader reader = journal.reader()) {
      while (reader.next()) {
        byte[] bytes = reader.bytes();
        if (bytes[0] != OTHER) {
          String text = new String(bytes, StandardCharsets.US_ASCII).trim();
          records.add(text + " " + bytes.length);
        }
      }
    }
    return records;
  }

  @Override
  public void write(Journal journal) {
    journal.append(new byte[] {OTHER});
  }

  @Override
  public boolean isPoison(Throwable failure) {
    return failure instanceof StoppedException && failure.getCause() != null;
  }

  @Override
  public boolean isOpen(Journal journal) {
    try {
      journal.force();
      return true;
    } catch (StoppedException e) {
      return false;
    }
  }

  @Override
  public boolean sync() {
    return sync;
  }

  @Override
  public void makeDurable(Journal journal) {
    journal.force();
  }

  @Override
  public void verify(Journal journal) {
    journal.info();
  }

  @Override
  public void close(Journal journal) {
    if (forgetsClaims && withClaim.add(journal)) {
      forgetClaim(journal);
    }
    journal.close();
  }

  private static void forgetClaim(Journal journal) {
    try {
      Program.elsewhere(
          () -> {
            try {
              Claim _ = journal.claim(10);
            } catch (StoppedException e) {
              // it gives no claims
            }
          });
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
