package io.everheap.testkit.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The newest bytes of one page of a simulated file: what reads, writes and shared mappings see.
 *
 * <p>The bytes live in memory of their own, in that of a shared mapping, or, until something
 * changes them, in an immutable copy that crash images share. Guarded by the medium's lock.
 */
public final class Page {
  /** Bytes of a page. */
  public static final int SIZE = 4096;

  private static final byte[] ZEROS = new byte[SIZE];

  private @Nullable MemorySegment memory;
  private byte @Nullable [] image;
  private boolean allocated;

  /** A page of a hole: zeros that take no space. */
  static Page hole() {
    return new Page(ZEROS, false);
  }

  /** A page that holds these bytes, which must not change any more. */
  static Page of(byte[] image) {
    return new Page(image, true);
  }

  private Page(byte[] image, boolean allocated) {
    this.image = image;
    this.allocated = allocated;
  }

  /** Tells whether the page takes space on the simulated disk. */
  boolean allocated() {
    return allocated;
  }

  /** Gives the page space. */
  void allocate() {
    allocated = true;
  }

  /** Makes the page a hole again. */
  void punch() {
    forWriting().fill((byte) 0);
    allocated = false;
  }

  /** The bytes, not to be changed. */
  MemorySegment forReading() {
    MemorySegment own = memory;
    return own != null ? own : MemorySegment.ofArray(image());
  }

  /** The bytes, about to change. */
  MemorySegment forWriting() {
    MemorySegment own = memory;
    if (own == null) {
      own = MemorySegment.ofArray(image().clone());
      memory = own;
    }
    image = null;
    return own;
  }

  /** The bytes move into memory that a mapping shows. */
  void moveTo(MemorySegment mapped) {
    mapped.copyFrom(forReading());
    memory = mapped;
  }

  /** An immutable copy of the bytes as they are now. */
  byte[] image() {
    byte[] known = image;
    MemorySegment own = memory;
    if (known == null && own != null) {
      known = own.toArray(ValueLayout.JAVA_BYTE);
      known = Arrays.equals(known, ZEROS) ? ZEROS : known;
      image = known;
    }
    if (known == null) {
      throw new IllegalStateException("a page without bytes");
    }
    return known;
  }
}
