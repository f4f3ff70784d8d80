package io.everheap.journal;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.CorruptException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Medium;
import io.everheap.memory.crypt.Refusal;
import io.everheap.report.VerifyProgress;
import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all of a journal and looks for damage, without changing anything, while others may be
 * appending to it.
 *
 * @param problems what was found, in the order of the journal; at most {@value #MOST}
 * @param records that are sound
 * @param bytes of segments that were read
 * @param firstSequence of the oldest record
 * @param nextSequence behind the newest record
 * @param tornBytes of unfinished records at the end, which an opening cuts off
 * @since 0.9
 */
@Stable
public record JournalCheck(
    List<Problem> problems,
    long records,
    long bytes,
    long firstSequence,
    long nextSequence,
    long tornBytes) {
  /**
   * Damage that a check of a journal found.
   *
   * @param file where it is
   * @param offset in the file, in bytes
   * @param sequence of the first record that is lost or doubtful
   * @param message what is wrong
   */
  public record Problem(String file, long offset, long sequence, String message) {
    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%s, byte %d, record %d: %s", file, offset, sequence, message);
    }
  }

  private static final int MOST = 1000;
  private static final int ATTEMPTS = 3;
  private static final long PAUSE = 10_000_000;

  /** How long to retry while the journal changes during each check that finds problems. */
  private static final long LONGEST_RETRY = 10_000_000_000L;

  /** Copies the list. */
  public JournalCheck {
    problems = List.copyOf(problems);
  }

  /**
   * Tells whether nothing was found.
   *
   * @return whether the journal is sound
   */
  public boolean ok() {
    return problems.isEmpty();
  }

  /**
   * Checks a journal that is not encrypted; see {@link #verify(Path, KeyProvider, VerifyProgress)}.
   *
   * @param directory of the journal
   * @return what was found
   */
  public static JournalCheck verify(Path directory) {
    return verify(directory, null, VerifyProgress.NONE);
  }

  /**
   * Reads all records of a journal, which may be open, and checks them. Nothing is changed. In an
   * encrypted journal, bytes of its newest segments and of those with records that are not
   * authentic are a problem.
   *
   * @param directory of the journal
   * @param key gives the wrapping key; {@code null} if the journal is not encrypted
   * @param progress called by this thread
   * @return what was found
   * @throws MissingException if there is no journal
   * @throws io.everheap.error.EncryptionException if the key is another one, is missing, or the
   *     journal is not encrypted
   * @throws io.everheap.error.EverheapException if it cannot be read, or has an unknown format
   */
  public static JournalCheck verify(
      Path directory, @Nullable KeyProvider key, VerifyProgress progress) {
    Objects.requireNonNull(progress, "progress");
    Refusals refusals = new Refusals();
    try (Medium medium = Sealing.forReading(JournalBuilder.watch(directory), key, refusals)) {
      return retrying(
          medium,
          refusals,
          (done, all) -> progress.update("records", (double) done / Math.max(1, all)));
    }
  }

  /** Collects what is not authentic. Thread-safe. */
  private static final class Refusals implements Refusal {
    private final Map<String, Problem> problems = new LinkedHashMap<>();

    @Override
    public synchronized void refuse(String file, long position, RuntimeException reason) {
      if (problems.size() < MOST) {
        problems.put(
            file + position, new Problem(file, position, -1, String.valueOf(reason.getMessage())));
      }
    }

    synchronized List<Problem> take() {
      List<Problem> taken = new ArrayList<>(problems.values());
      problems.clear();
      return taken;
    }
  }

  /**
   * Checks again if problems were found, since a concurrent change can cause some. Problems found
   * while the state changes count only if that lasts.
   */
  static JournalCheck retrying(Medium medium, BiConsumer<Long, Long> progress) {
    return retrying(medium, new Refusals(), progress);
  }

  private static JournalCheck retrying(
      Medium medium, Refusals refusals, BiConsumer<Long, Long> progress) {
    long start = System.nanoTime();
    int settled = 0;
    for (int attempts = 1; ; attempts++) {
      long before = generation(medium);
      JournalCheck check = of(medium, progress).with(refusals.take());
      settled += generation(medium) == before ? 1 : 0;
      boolean late = attempts >= ATTEMPTS && System.nanoTime() - start > LONGEST_RETRY;
      if (check.ok() || settled >= ATTEMPTS || late) {
        return check;
      }
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** This with other problems, which come first. */
  private JournalCheck with(List<Problem> more) {
    List<Problem> all = new ArrayList<>(more);
    all.addAll(problems);
    return new JournalCheck(
        all.subList(0, Math.min(all.size(), MOST)),
        records,
        bytes,
        firstSequence,
        nextSequence,
        tornBytes);
  }

  /** The generation of the state; -1 if it cannot be read. */
  private static long generation(Medium medium) {
    try {
      return StateFile.read(medium).generation();
    } catch (CorruptException | MediumException e) {
      return -1;
    }
  }

  static JournalCheck of(Medium medium, BiConsumer<Long, Long> progress) {
    JournalState state;
    JournalRecovery.Found found;
    try {
      state = StateFile.read(medium);
      found = JournalRecovery.read(medium, state);
    } catch (CorruptException | MediumException e) {
      List<Problem> problems = new ArrayList<>();
      problems.add(
          new Problem(
              e instanceof CorruptException damage
                  ? damage.path().orElse(medium.location())
                  : medium.location(),
              e instanceof CorruptException damage ? damage.offset().orElse(0) : 0,
              -1,
              String.valueOf(e.getMessage())));
      return new JournalCheck(problems, 0, 0, 0, 0, 0);
    }
    long total = found.live().stream().mapToLong(s -> s.header().size()).sum();
    List<Problem> problems = new ArrayList<>();
    long bytes = 0;
    long records = 0;
    for (int i = 0; i < found.live().size(); i++) {
      Segment segment = found.live().get(i);
      boolean last = i == found.live().size() - 1;
      Segment next = last ? null : found.live().get(i + 1);
      try {
        records += check(segment, next, found, problems);
      } catch (MediumException e) {
        problems.add(new Problem(segment.path(), 0, -1, String.valueOf(e.getMessage())));
      }
      bytes += segment.header().size();
      progress.accept(bytes, total);
    }
    if (!problems.isEmpty()) {
      dropReleased(medium, problems);
    }
    long released = found.live().isEmpty() ? 0 : found.live().getFirst().firstSequence();
    records -= Math.max(0, state.firstSequence() - released);
    return new JournalCheck(
        problems,
        Math.max(0, records),
        total,
        state.firstSequence(),
        found.nextSequence(),
        found.tornBytes());
  }

  /**
   * Drops problems of records that were released during the check: they may have been overwritten.
   */
  private static void dropReleased(Medium medium, List<Problem> problems) {
    long first = StateFile.read(medium).firstOrdinal();
    problems.removeIf(
        problem -> {
          String name = problem.file().substring(problem.file().lastIndexOf('/') + 1);
          return SegmentLayout.isSegment(name) && SegmentLayout.number(name) < first;
        });
  }

  private static long check(
      Segment segment,
      @Nullable Segment next,
      JournalRecovery.Found found,
      List<Problem> problems) {
    if (!segment.pin()) {
      return 0;
    }
    try {
      RecordScanner scanner = new RecordScanner(segment.view(), segment.header());
      long offset = SegmentLayout.START;
      long sequence = segment.firstSequence();
      int chain = segment.header().chain();
      long end = next == null ? found.nextSequence() : next.firstSequence();
      while (sequence < end) {
        if (!scanner.follows(offset, sequence, chain) || scanner.has(RecordLayout.END)) {
          if (problems.size() < MOST) {
            problems.add(
                new Problem(
                    segment.path(),
                    offset,
                    sequence,
                    String.format(
                        Locale.ROOT,
                        "record %d does not validate; it and %d behind it in this file cannot be read",
                        sequence,
                        end - sequence - 1)));
          }
          return sequence - segment.firstSequence();
        }
        chain = scanner.checksum();
        offset = scanner.next();
        sequence++;
      }
      return end - segment.firstSequence();
    } finally {
      segment.unpin();
    }
  }
}
