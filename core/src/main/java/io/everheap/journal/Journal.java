package io.everheap.journal;

import io.everheap.error.ClosedException;
import io.everheap.error.EverheapException;
import io.everheap.error.GoneException;
import io.everheap.error.ReadOnlyException;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.memory.Closing;
import io.everheap.memory.Internals;
import io.everheap.memory.Medium;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An append-only log of records that survive the end of the process and the loss of power.
 *
 * <pre>{@code
 * try (Journal journal = Journal.open(Path.of("events"))) {
 *   long sequence = journal.append(bytes);     // durable when it returns
 *   byte[] same = journal.read(sequence);
 * }
 * }</pre>
 *
 * <p><b>Sequences.</b> Each record has a number, its <em>sequence</em>: the first one 0 unless
 * chosen otherwise, each later one the next integer, without gaps. Records are in the order in
 * which their appends took place; appends by one thread are in the order of the calls.
 *
 * <p><b>Durability.</b> An append returns when its record survives a power loss; with {@link
 * JournalBuilder#async} it returns when the record survives the end of the process, unless the
 * journal is {@linkplain JournalBuilder#encrypt encrypted}, and {@link #force} waits for more. It
 * holds all records up to some sequence, whatever happens, and those are whole. On persistent
 * memory an append takes one store and one fence; on files, threads share durable writes.
 *
 * <p><b>Readers</b> see records in order, in the same process when they are durable ({@code async}
 * and persistent memory: when they are appended), in another one soon after.
 *
 * <p><b>Failures.</b> A full disk fails the append that needs a new segment, and nothing else. When
 * something could not be made durable, its outcome is unknown, and the journal refuses everything
 * with {@link io.everheap.error.StoppedException} until it is opened again. An interrupt does not
 * end an append.
 *
 * <p>Thread-safe.
 *
 * @since 0.9
 */
@Stable
public final class Journal implements AutoCloseable {
  static {
    Internals.show(Journal.class, journal -> new JournalReplication(journal.origin));
  }

  private final @Nullable JournalOrigin origin;
  final Medium medium;
  private final RecordSource source;
  private final @Nullable LocalSource local; // the source, if this process may append
  private final SegmentCache cache = new SegmentCache();
  private volatile boolean closed;
  private boolean released;

  private Journal(Medium medium, RecordSource source, @Nullable LocalSource local) {
    this.origin = local == null ? null : local.origin();
    this.medium = medium;
    this.source = source;
    this.local = local;
    source.cache(cache);
  }

  /**
   * Opens a journal for appending and reading, or makes it if there is none. An append returns when
   * its record is durable.
   *
   * @param directory of the journal
   * @return the journal, to be closed
   * @throws EverheapException as {@link JournalBuilder#open} says
   */
  public static Journal open(Path directory) {
    return builder(directory).open();
  }

  /**
   * Returns a builder that opens a journal.
   *
   * @param directory of the journal
   * @return a builder with the defaults
   */
  public static JournalBuilder builder(Path directory) {
    return new JournalBuilder(directory);
  }

  static Journal write(Medium medium, JournalOptions options, long firstSequence) {
    LocalSource local = LocalSource.open(medium, options, firstSequence);
    return new Journal(medium, local, local);
  }

  static Journal watch(Medium medium) {
    return new Journal(medium, WatchedSource.open(medium), null);
  }

  /**
   * Appends a record.
   *
   * @param record its bytes, up to 1 GiB, possibly none
   * @return its sequence
   * @throws EverheapException if it is not appended, or not known to be durable
   */
  public long append(byte[] record) {
    return append(record, 0, record.length);
  }

  /**
   * Appends part of an array as a record.
   *
   * @param array that holds the record
   * @param from index of its first byte
   * @param length how many bytes
   * @return its sequence
   * @throws EverheapException if it is not appended, or not known to be durable
   */
  public long append(byte[] array, int from, int length) {
    Objects.checkFromIndexSize(from, length, array.length);
    RecordLayout.requirePayload(length);
    LocalSource own = writable();
    return own.settle(own.writer().append(array, from, length));
  }

  /**
   * Appends the remaining bytes of a buffer as a record.
   *
   * @param record the buffer, whose position moves to its limit
   * @return its sequence
   * @throws EverheapException if it is not appended, or not known to be durable
   */
  public long append(ByteBuffer record) {
    long sequence;
    if (record.hasArray()) {
      sequence =
          append(record.array(), record.arrayOffset() + record.position(), record.remaining());
    } else {
      sequence = append(MemorySegment.ofBuffer(record));
    }
    record.position(record.limit());
    return sequence;
  }

  /**
   * Appends memory as a record.
   *
   * @param record its bytes, up to 1 GiB
   * @return its sequence
   * @throws EverheapException if it is not appended, or not known to be durable
   */
  public long append(MemorySegment record) {
    return appendAll(record);
  }

  /**
   * Appends several records, all or none: recovery never finds only some of them, and they become
   * durable together, in one step.
   *
   * @param records at least one; together up to 1 GiB
   * @return the sequence of the first one; the others follow it
   * @throws EverheapException if they are not appended, or not known to be durable
   */
  public long appendAll(List<byte[]> records) {
    return appendAll(records.stream().map(MemorySegment::ofArray).toArray(MemorySegment[]::new));
  }

  /**
   * Appends memory as records, all or none, like {@link #appendAll(List)}.
   *
   * @param records at least one; together up to 1 GiB
   * @return the sequence of the first one; the others follow it
   * @throws EverheapException if they are not appended, or not known to be durable
   */
  public long appendAll(MemorySegment... records) {
    LocalSource own = writable();
    long first = own.writer().append(records);
    own.settle(first + records.length - 1);
    return first;
  }

  /**
   * Appends a record without waiting. A separate thread completes the futures of records that
   * {@link #close} makes durable; {@code close} does not wait for it.
   *
   * @param record its bytes, up to 1 GiB
   * @return completed with the record's sequence once it is durable, by a thread that must not be
   *     blocked, or with the exception if it cannot become durable
   * @throws EverheapException if it is not appended
   */
  public CompletableFuture<Long> appendAsync(byte[] record) {
    RecordLayout.requirePayload(record.length);
    LocalSource own = writable();
    return own.settleLater(own.writer().append(record, 0, record.length));
  }

  /**
   * Reserves the place of the next record, to be filled without a copy; waits for other appends.
   * Until the claim is committed or aborted, no other thread can append. One that tries waits, as
   * long as {@link JournalBuilder#lockTimeout} says.
   *
   * @param length of the record, up to 1 GiB
   * @return the place, to be committed or aborted soon
   * @throws IllegalStateException if this thread has a claim already
   * @throws EverheapException if there is no room
   */
  public Claim claim(int length) {
    Claim claim = claim(length, true);
    if (claim == null) { // no call here: it might fail, and the claim would be lost
      throw new IllegalStateException("no claim");
    }
    return claim;
  }

  /**
   * Like {@link #claim}, but waits for no thread and no file: what is missing is done in the
   * background, so that a later call succeeds. The call itself writes only the header of a new
   * segment, if it claims the first place there; it makes a segment only if the thread that makes
   * segments has failed, which is logged.
   *
   * @param length of the record, up to 1 GiB
   * @return the place, or {@code null} if another thread is appending, if the next segment is not
   *     ready yet, or if too much is not durable yet: try again a little later, or {@link #claim}
   * @throws IllegalStateException if this thread has a claim already
   * @throws EverheapException if there is no room
   */
  public @Nullable Claim tryClaim(int length) {
    return claim(length, false);
  }

  private @Nullable Claim claim(int length, boolean wait) {
    RecordLayout.requirePayload(length);
    LocalSource own = writable();
    return own.writer()
        .claim(
            length,
            wait,
            new Claim.Owner() {
              @Override
              public long commit(Claim claim) {
                return own.settle(own.writer().commit(claim));
              }

              @Override
              public void abort(Claim claim) {
                own.writer().abort(claim);
              }

              @Override
              public RuntimeException closed() {
                return own.writer().failure.closed();
              }
            });
  }

  /**
   * Waits until everything that was appended before is durable.
   *
   * @throws EverheapException if that is not known
   */
  public void force() {
    writable().writer().awaitAll();
  }

  /**
   * Returns the number of the oldest record.
   *
   * @return its sequence; equal to {@link #nextSequence} if there is no record
   */
  public long firstSequence() {
    requireOpen();
    return source.first();
  }

  /**
   * Returns the number that the next record will get. A journal that is open for reading polls the
   * files of the writer for at most a twentieth of the time, so the number may be late by
   * milliseconds, or by more on a slow disk.
   *
   * @return the sequence behind the newest record; in a process that only reads a damaged journal,
   *     that of the record which does not validate
   */
  public long nextSequence() {
    requireOpen();
    return source.next();
  }

  /**
   * Returns up to where the journal is known to be durable.
   *
   * @return the sequence behind the newest record that is; in a process that only reads, the one
   *     behind the newest record
   */
  public long durableSequence() {
    requireOpen();
    return source.durable();
  }

  /**
   * Reads a record.
   *
   * @param sequence of a record that is there
   * @return a copy of its bytes
   * @throws GoneException if it was released, or is not there yet
   * @throws io.everheap.error.CorruptException if it does not validate
   */
  public byte[] read(long sequence) {
    try (Cursor cursor = cursorAt(sequence)) {
      return cursor.bytes();
    }
  }

  /**
   * Applies a function to a record without copying it.
   *
   * @param <T> of the result
   * @param sequence of a record that is there
   * @param function gets the record, read-only and valid until it returns
   * @return its result
   * @throws GoneException if the record was released, or is not there yet
   * @throws io.everheap.error.CorruptException if it does not validate
   */
  public <T extends @Nullable Object> T read(long sequence, Function<MemorySegment, T> function) {
    try (Cursor cursor = cursorAt(sequence)) {
      return function.apply(cursor.data());
    }
  }

  private Cursor cursorAt(long sequence) {
    requireOpen();
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence: " + sequence);
    }
    Cursor cursor = new Cursor(source, cache, sequence);
    boolean found = false;
    try {
      if (!cursor.advance()) {
        throw GoneException.record(source.location(), sequence, source.first(), source.visible());
      }
      found = true;
      return cursor;
    } finally {
      if (!found) {
        cursor.close();
      }
    }
  }

  /**
   * Finds the first record that is not older than a time. Needs {@link JournalBuilder#timestamps};
   * for records without a time, it is the first one of a segment that may hold such.
   *
   * @param time to look for
   * @return its sequence, or empty if all records are older
   */
  public OptionalLong firstSince(Instant time) {
    requireOpen();
    try (Cursor cursor = new Cursor(source, cache, source.first())) {
      return cursor.advanceTo(time) ? OptionalLong.of(cursor.next() - 1) : OptionalLong.empty();
    }
  }

  /**
   * Returns a reader that begins at the oldest record.
   *
   * @return a reader, to be closed
   */
  public JournalReader reader() {
    return reader(firstSequence());
  }

  /**
   * Returns a reader that begins at any record.
   *
   * @param sequence of a record that is there, or the next one to come
   * @return a reader, to be closed
   */
  public JournalReader reader(long sequence) {
    requireOpen();
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence: " + sequence);
    }
    return new JournalReader(source, cache, sequence);
  }

  /**
   * Releases all records before one, durably; segments that hold only released records are reused.
   * A reader of a released record gets a {@link GoneException}.
   *
   * @param sequence of the record that becomes the first; nothing happens if that is behind it
   * @throws IllegalArgumentException if it is behind {@link #nextSequence}
   */
  public void truncateBefore(long sequence) {
    writable().truncateBefore(sequence);
  }

  /**
   * Cuts off all records behind one, durably: either all of them or, after a crash before this
   * returned, none. The next record gets the number behind it.
   *
   * @param sequence of the record that becomes the last; one less than {@link #firstSequence} cuts
   *     off all
   * @throws IllegalArgumentException if it is less, or behind the last record
   */
  public void truncateAfter(long sequence) {
    writable().truncateAfter(sequence);
  }

  /**
   * Returns the present state of the journal.
   *
   * @return a snapshot
   * @throws io.everheap.error.CorruptException if this process only reads, and the journal is
   *     damaged where its end should be looked for
   */
  public JournalInfo info() {
    requireOpen();
    source.requireEnd();
    JournalState state = source.state();
    Segment[] segments = source.segments();
    long bytes = 0;
    for (Segment segment : segments) {
      bytes += segment.header().size();
    }
    return new JournalInfo(
        medium.location(),
        medium.name(),
        state.uuid(),
        state.version(),
        state.epoch(),
        firstSequence(),
        nextSequence(),
        durableSequence(),
        segments.length,
        bytes,
        source.unusedBytes(),
        state.segmentSize(),
        source.recoveredUnclean(),
        source.tornBytes());
  }

  /**
   * Makes a full backup while others append. {@link JournalBackups} makes incremental ones, and
   * restores.
   *
   * @param directory of backups, outside of that of the journal
   * @return the backup, which is durable
   * @throws EverheapException as {@link JournalBackups#take(Journal)} says
   */
  public JournalBackup backup(Path directory) {
    return JournalBackups.in(directory).take(this);
  }

  /** The segments, oldest first. */
  Segment[] segments() {
    return source.segments();
  }

  /** Where its records are. */
  RecordSource source() {
    return source;
  }

  /**
   * Makes everything durable and closes the journal. Memory of records that readers hold becomes
   * invalid. Threads that wait get {@link io.everheap.error.ClosedException}; a {@link Claim} that
   * is open ends, and cannot be committed any more. Idempotent; if it threw an {@link Error}, such
   * as a StackOverflowError, another call continues it.
   */
  @Override
  public synchronized void close() {
    if (released) {
      return;
    }
    closed = true;
    Closing closing = new Closing().then(source::close);
    if (!closing.hasError()) { // else something may still write
      closing.then(cache::close).then(medium::close);
    }
    released = !closing.hasError();
    closing.end();
  }

  private LocalSource writable() {
    requireOpen();
    if (local == null) {
      throw ReadOnlyException.journal(medium.location());
    }
    local.requireServing();
    return local;
  }

  private void requireOpen() {
    if (closed) {
      throw ClosedException.journal(medium.location());
    }
  }
}
