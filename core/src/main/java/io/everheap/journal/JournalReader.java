package io.everheap.journal;

import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.stability.Stable;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Reads a journal record by record, from any record on, and can wait for new ones.
 *
 * <pre>{@code
 * try (JournalReader reader = journal.reader(0)) {
 *   while (reader.next()) {
 *     handle(reader.sequence(), reader.data());
 *   }
 * }
 * }</pre>
 *
 * <p>Each record is checked against its checksum before it is given out. Any number of readers may
 * read while others append. A reader is not thread-safe; {@link #close} alone may be called by
 * another thread only when no other method runs.
 *
 * <p>A reader whose next record was released throws {@link GoneException}. So does a reader whose
 * last record was cut off, also if other records have taken its number since. Such a reader can
 * continue elsewhere with {@link #seek}.
 *
 * @since 0.9
 */
@Stable
public final class JournalReader implements AutoCloseable {
  private final RecordSource source;
  private final Cursor cursor;
  private boolean positioned;
  private boolean closed;

  JournalReader(RecordSource source, SegmentCache cache, long from) {
    this.source = source;
    this.cursor = new Cursor(source, cache, from);
  }

  /**
   * Goes to the next record, if there is one.
   *
   * @return whether there is
   * @throws GoneException if it was released or cut off
   * @throws CorruptException if it does not validate
   * @throws ClosedException if the journal or this reader was closed
   */
  public boolean next() {
    requireOpen();
    positioned = cursor.advance();
    return positioned;
  }

  /**
   * Goes to the next record, and waits for it if it is not there yet.
   *
   * @param timeout how long to wait at most
   * @return whether it is there
   * @throws InterruptedException if the thread is interrupted while it waits; the reader stays
   *     where it is
   * @throws GoneException if it was released or cut off
   * @throws CorruptException if it does not validate
   * @throws ClosedException if the journal or this reader was closed
   */
  public boolean next(Duration timeout) throws InterruptedException {
    if (next()) {
      return true;
    }
    long nanos = TimeUnit.NANOSECONDS.convert(timeout);
    long start = System.nanoTime();
    while (true) {
      long left = nanos - (System.nanoTime() - start);
      boolean there = source.await(cursor.next(), left);
      if (next()) {
        return true;
      }
      if (!there) {
        return false;
      }
    }
  }

  /**
   * Passes all records that are there to a handler, until it returns {@code false}.
   *
   * @param handler receives the records
   * @return how many it received
   */
  public long forEach(RecordHandler handler) {
    Objects.requireNonNull(handler, "handler");
    long count = 0;
    while (next()) {
      count++;
      if (!handler.accept(sequence(), data())) {
        break;
      }
    }
    return count;
  }

  /**
   * Passes all records to a handler, those that are there and those to come, until it returns
   * {@code false}.
   *
   * @param handler receives the records
   * @throws InterruptedException if the thread is interrupted while it waits
   * @throws ClosedException if the journal was closed
   */
  public void follow(RecordHandler handler) throws InterruptedException {
    Objects.requireNonNull(handler, "handler");
    do {
      while (!next(Duration.ofHours(1))) {
        // still waiting
      }
    } while (handler.accept(sequence(), data()));
  }

  /**
   * Returns the number of the present record.
   *
   * @return its sequence
   * @throws IllegalStateException if there is no present record
   */
  public long sequence() {
    requirePosition();
    return cursor.next() - 1;
  }

  /**
   * Returns the present record without copying it.
   *
   * @return read-only memory, to be used until {@link #next} or another method moves the reader. In
   *     a process that only reads, a record that the writer releases may change meanwhile
   * @throws IllegalStateException if there is no present record
   */
  public MemorySegment data() {
    requirePosition();
    return cursor.data();
  }

  /**
   * Copies the present record.
   *
   * @return its bytes
   * @throws IllegalStateException if there is no present record
   * @throws CorruptException if its file was cut off since it was read
   */
  public byte[] bytes() {
    requirePosition();
    return cursor.bytes();
  }

  /**
   * Returns when the present record was appended.
   *
   * @return the time, or empty if the journal kept none
   * @throws IllegalStateException if there is no present record
   */
  public Optional<Instant> time() {
    requirePosition();
    long millis = cursor.time();
    return millis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis));
  }

  /**
   * Returns the number of the record that {@link #next} goes to.
   *
   * @return its sequence
   */
  public long nextSequence() {
    return cursor.next();
  }

  /**
   * Moves the reader: {@link #next} then goes to that record.
   *
   * @param sequence of a record, or of the one to come
   */
  public void seek(long sequence) {
    requireOpen();
    if (sequence < 0) {
      throw new IllegalArgumentException("sequence: " + sequence);
    }
    positioned = false;
    cursor.seek(sequence);
  }

  /** Closes the reader and unpins its segment. Idempotent. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      positioned = false;
      cursor.close();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw ClosedException.journal(source.location());
    }
  }

  private void requirePosition() {
    requireOpen();
    if (!positioned) {
      throw new IllegalStateException("the reader is at no record: call next first");
    }
  }
}
