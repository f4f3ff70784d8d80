package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.GoneException;
import io.everheap.journal.Claim;
import io.everheap.journal.Journal;
import io.everheap.journal.JournalBuilder;
import io.everheap.journal.JournalReader;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumSetting;
import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A process that appends to a journal, one by one, in batches and through claims, releases records
 * and cuts some off, and checks what its predecessor left. Every record says which it is: a record
 * that comes back after it was cut off, from an older use of its segment, or out of order, is
 * found.
 */
final class JournalProcess implements SimulatedProcess {
  private final long seed;
  private final int work;
  private final boolean sync;
  private final @Nullable KeyProvider key;
  private final History history;

  /**
   * What records there may be: for each sequence the number of the append, which is never the same
   * twice.
   */
  private static final class History {
    List<Long> appended = new ArrayList<>(); // by sequence
    List<Integer> batchEnd = new ArrayList<>(); // by sequence: where its batch ends
    List<Long> cutFrom = new ArrayList<>(); // before a cut that is under way, or empty
    List<Integer> cutBatches = new ArrayList<>();
    long number;
    int acknowledged; // records that survive a kill
    int durable; // records that survive a power loss
    int leastFirst;
    int mostFirst;

    History copy() {
      History copy = new History();
      copy.appended = new ArrayList<>(appended);
      copy.batchEnd = new ArrayList<>(batchEnd);
      copy.cutFrom = new ArrayList<>(cutFrom);
      copy.cutBatches = new ArrayList<>(cutBatches);
      copy.number = number;
      copy.acknowledged = acknowledged;
      copy.durable = durable;
      copy.leastFirst = leastFirst;
      copy.mostFirst = mostFirst;
      return copy;
    }
  }

  JournalProcess(long seed, int work, boolean sync) {
    this(seed, work, sync, null);
  }

  /** With the key of an encrypted journal, or null. */
  JournalProcess(long seed, int work, boolean sync, @Nullable KeyProvider key) {
    this(seed, work, sync, key, new History());
  }

  private JournalProcess(
      long seed, int work, boolean sync, @Nullable KeyProvider key, History history) {
    this.seed = seed;
    this.work = work;
    this.sync = sync;
    this.key = key;
    this.history = history;
  }

  @Override
  public Promise promise() {
    History now;
    synchronized (history) {
      now = history.copy();
    }
    return (powerLost, next) -> {
      History left = now.copy();
      if (powerLost || key != null) { // what is not durable is in the memory of the process
        left.acknowledged = left.durable;
      }
      return new JournalProcess(next, Math.min(work, 10), sync, key, left);
    };
  }

  static JournalBuilder builder(Medium medium, boolean sync) {
    return builder(medium, sync, null);
  }

  static JournalBuilder builder(Medium medium, boolean sync, @Nullable KeyProvider key) {
    JournalBuilder builder =
        MediumSetting.medium(Journal.builder(Path.of(medium.location())), medium)
            .segmentSize(16 << 10);
    MediumSetting.withoutThreads(builder);
    if (key != null) {
      builder.encrypt(key);
    }
    return sync ? builder.sync() : builder.async(Duration.ofMinutes(30));
  }

  @Override
  public void run(SimulatedMedium medium) {
    Random random = new Random(seed);
    boolean dax = medium.byteAddressable();
    try (Journal journal = builder(medium, sync, key).open()) {
      check(journal);
      for (int i = 0; i < work; i++) {
        step(journal, random, dax);
      }
    }
  }

  private void check(Journal journal) {
    long next = journal.nextSequence();
    long first = journal.firstSequence();
    synchronized (history) {
      if (!history.cutFrom.isEmpty() && next > history.appended.size()) {
        history.appended = history.cutFrom; // the cut did not happen
        history.batchEnd = history.cutBatches;
      }
      history.cutFrom = new ArrayList<>();
      assertThat(next)
          .as("the end")
          .isBetween((long) history.acknowledged, (long) history.appended.size());
      assertThat(first)
          .as("the first")
          .isBetween((long) history.leastFirst, (long) history.mostFirst);
      history.leastFirst = (int) first;
      history.mostFirst = (int) first;
      try (JournalReader reader = journal.reader()) {
        for (long s = first; s < next; s++) {
          assertThat(reader.next()).isTrue();
          check(s, reader.bytes());
        }
        assertThat(reader.next()).as("a record behind the end").isFalse();
      }
      if (next > 0 && next < history.appended.size()) {
        assertThat(history.batchEnd.get((int) next - 1))
            .as("a batch is there as a whole or not at all")
            .isEqualTo((int) next);
      }
      history.appended = new ArrayList<>(history.appended.subList(0, (int) next));
      history.batchEnd = new ArrayList<>(history.batchEnd.subList(0, (int) next));
      history.acknowledged = (int) next;
      history.durable = (int) next;
    }
  }

  private void check(long sequence, byte[] found) {
    assertThat(found)
        .as("record %s", sequence)
        .isEqualTo(record(history.appended.get((int) sequence)));
  }

  private static byte[] record(long number) {
    Random random = new Random(number);
    int kind = random.nextInt(20);
    int length = kind == 0 ? random.nextInt(30_000) : kind < 4 ? random.nextInt(3000) : 40;
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void step(Journal journal, Random random, boolean dax) {
    switch (random.nextInt(12)) {
      case 0 -> append(journal, 1 + random.nextInt(4), false, dax);
      case 1, 2 -> append(journal, 1, true, dax);
      case 3 -> {
        journal.force();
        synchronized (history) {
          history.durable = history.appended.size();
        }
      }
      case 4 -> release(journal, random);
      case 5 -> {
        if (random.nextInt(2) == 0) {
          cut(journal, random);
        }
      }
      default -> append(journal, 1, false, dax);
    }
  }

  private void append(Journal journal, int count, boolean claim, boolean dax) {
    byte[][] records = new byte[count][];
    synchronized (history) {
      for (int i = 0; i < count; i++) {
        records[i] = record(++history.number);
        history.appended.add(history.number);
      }
      for (int i = 0; i < count; i++) {
        history.batchEnd.add(history.appended.size());
      }
    }
    if (claim) {
      try (Claim place = journal.claim(records[0].length)) {
        place.memory().copyFrom(MemorySegment.ofArray(records[0]));
        place.commit();
      }
    } else {
      journal.appendAll(List.of(records));
    }
    synchronized (history) {
      history.acknowledged = history.appended.size();
      if (sync || dax) {
        history.durable = history.acknowledged;
      }
    }
  }

  private void release(Journal journal, Random random) {
    long first = journal.firstSequence();
    long to = first + random.nextInt((int) (journal.nextSequence() - first) + 1);
    synchronized (history) {
      history.mostFirst = (int) to;
    }
    journal.truncateBefore(to);
    synchronized (history) {
      history.leastFirst = (int) to;
      history.durable = Math.max(history.durable, (int) to);
    }
  }

  private void cut(Journal journal, Random random) {
    long first = journal.firstSequence();
    long next = journal.nextSequence();
    int to = (int) (first + random.nextInt((int) (next - first) + 1));
    synchronized (history) {
      history.cutFrom = new ArrayList<>(history.appended);
      history.cutBatches = new ArrayList<>(history.batchEnd);
      history.appended = new ArrayList<>(history.appended.subList(0, to));
      history.batchEnd = new ArrayList<>(history.batchEnd.subList(0, to));
      for (int i = 0; i < to; i++) {
        history.batchEnd.set(i, Math.min(to, history.batchEnd.get(i)));
      }
      history.acknowledged = Math.min(history.acknowledged, to);
      history.durable = Math.min(history.durable, to);
    }
    journal.truncateAfter(to - 1);
    synchronized (history) {
      history.cutFrom = new ArrayList<>();
      history.acknowledged = to;
      history.durable = to;
    }
    if (to > first) {
      assertThat(journal.nextSequence()).isEqualTo(to);
    }
    try {
      journal.read(to);
      throw new AssertionError("record " + to + " is still there");
    } catch (GoneException e) {
      // cut off
    }
  }
}
