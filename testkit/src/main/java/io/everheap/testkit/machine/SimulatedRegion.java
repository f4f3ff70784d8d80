package io.everheap.testkit.machine;

import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A region whose stores the simulated medium sees: each is announced before and after it happens,
 * under the medium's lock. Loads cost nothing extra.
 */
public abstract class SimulatedRegion extends Region {
  final FileContent content;
  final long position;
  private boolean closed;

  SimulatedRegion(
      FileContent content, MemorySegment segment, @Nullable Arena arena, long position) {
    super(segment, arena);
    this.content = content;
    this.position = position;
  }

  /** The process may no longer make this store, or bytes are about to change. */
  abstract void before(long offset, long length);

  /** The bytes changed. */
  abstract void after(long offset, long length);

  /** The region is closed for the first time. */
  abstract void onClose();

  /** Whether a crash can leave a copy half done. */
  abstract boolean copiesInPieces();

  @Override
  public void putByte(long offset, byte value) {
    synchronized (content.medium) {
      check(offset, 1);
      super.putByte(offset, value);
      after(offset, 1);
    }
  }

  @Override
  public void putShort(long offset, short value) {
    synchronized (content.medium) {
      check(offset, 2);
      super.putShort(offset, value);
      after(offset, 2);
    }
  }

  @Override
  public void putInt(long offset, int value) {
    synchronized (content.medium) {
      check(offset, 4);
      super.putInt(offset, value);
      after(offset, 4);
    }
  }

  @Override
  public void putLong(long offset, long value) {
    synchronized (content.medium) {
      check(offset, 8);
      super.putLong(offset, value);
      after(offset, 8);
    }
  }

  @Override
  public void putLongOpaque(long offset, long value) {
    synchronized (content.medium) {
      check(offset, 8);
      super.putLongOpaque(offset, value);
      after(offset, 8);
    }
  }

  @Override
  public void putLongRelease(long offset, long value) {
    synchronized (content.medium) {
      check(offset, 8);
      super.putLongRelease(offset, value);
      after(offset, 8);
    }
  }

  @Override
  public void copyFrom(long offset, byte[] source, int at, int length) {
    Objects.checkFromIndexSize(at, length, source.length);
    store(offset, Arrays.copyOfRange(source, at, at + length));
  }

  @Override
  public void copyFrom(long offset, Region source, long at, long length) {
    store(offset, source.segment().asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    store(offset, source.asSlice(at, length).toArray(ValueLayout.JAVA_BYTE));
  }

  @Override
  public void fill(long offset, long length, byte value) {
    byte[] bytes = new byte[Math.toIntExact(length)];
    Arrays.fill(bytes, value);
    store(offset, bytes);
  }

  @Override
  public MemorySegment claim(long offset, long length) {
    synchronized (content.medium) {
      check(offset, length);
      return super.claim(offset, length);
    }
  }

  @Override
  public void claimed(long offset, long length) {
    synchronized (content.medium) {
      super.claimed(offset, length);
      content.medium.requireAlive();
      after(offset, length);
    }
  }

  @Override
  public void close() {
    synchronized (content.medium) {
      if (!closed) {
        closed = true;
        onClose();
      }
    }
    super.close();
  }

  final void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the simulated region is already closed");
    }
  }

  private void store(long offset, byte[] bytes) {
    synchronized (content.medium) {
      Objects.checkFromIndexSize(offset, bytes.length, size());
      int half = copiesInPieces() && bytes.length > 8 ? bytes.length / 2 & ~7 : 0;
      storePiece(offset, bytes, 0, half);
      storePiece(offset, bytes, half, bytes.length - half);
    }
  }

  private void storePiece(long offset, byte[] bytes, int at, int length) {
    if (length > 0) {
      check(offset + at, length);
      super.copyFrom(offset + at, bytes, at, length);
      after(offset + at, length);
    }
  }

  private void check(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, size());
    requireOpen();
    before(offset, length);
  }
}
