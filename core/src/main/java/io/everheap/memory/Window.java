package io.everheap.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one part of a file, whatever it is mapped to now. Code that loads often from one
 * place keeps the window instead of looking for the region each time.
 *
 * <p>A thread may load from what {@link #now} returned for the time of one read, after which it
 * asks again: a region that was replaced stays as it was until it is closed, but no longer follows
 * what is stored.
 */
public final class Window {
  /** A window on nothing. */
  public static final Window NONE = new Window();

  /** Plain: a segment is safe to publish in a race, and a reader that meets an old one is early. */
  private @Nullable MemorySegment memory;

  /** A window on nothing, for the time being. */
  public Window() {}

  /**
   * Shows another region from now on, or none; none of a region that must prepare its pages.
   *
   * @param region the region
   */
  public void show(@Nullable Region region) {
    memory = region == null || !region.isDirect() ? null : region.segment;
  }

  /**
   * Returns the memory.
   *
   * @return a segment for {@link #load}, or {@code null} if nothing is mapped
   */
  public @Nullable MemorySegment now() {
    return memory;
  }

  /**
   * Loads an aligned word.
   *
   * @param memory that {@link #now} returned
   * @param offset of the word, from the start of the part
   * @return the value
   * @throws IllegalStateException if the memory is mapped anew or closed
   * @throws IndexOutOfBoundsException if it ends before the word does
   */
  public static long load(MemorySegment memory, long offset) {
    return memory.get(Layouts.LONG, offset);
  }
}
