package io.everheap.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The present mapping of one part of a file. Code that often loads from one place keeps the window
 * instead of finding the region each time.
 *
 * <p>A thread may load from the segment that {@link #now} returned during one read, and then must
 * call it again: after a remapping the old segment stays readable until it is closed, but does not
 * show later stores. Thread-safe.
 */
public final class Window {
  /** A window without a mapping. */
  public static final Window NONE = new Window();

  /** Plain: segments are safe to publish in a race, and an old one equals an earlier read. */
  private @Nullable MemorySegment memory;

  /**
   * The region whose pages a load needs first, or null. Plain as well: the wrong one for a moment
   * only lets the kernel read a page with its surroundings.
   */
  private @Nullable Region paged;

  /** Creates a window without a mapping yet. */
  public Window() {}

  /**
   * Shows another region from now on, or none.
   *
   * @param region the region; one that is not {@linkplain Region#isDirect direct} is not shown
   */
  public void show(@Nullable Region region) {
    paged = region == null || !region.isPaged() ? null : region;
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
   * Loads an aligned word; of a file that does not fit into memory, requests its page before.
   *
   * @param memory that {@link #now} returned
   * @param offset of the word, from the start of the part
   * @return the value
   * @throws IllegalStateException if the memory was unmapped
   * @throws IndexOutOfBoundsException if it ends before the word does
   */
  public long load(MemorySegment memory, long offset) {
    Region needed = paged;
    if (needed != null) {
      needed.expect(offset);
    }
    return memory.get(Layouts.LONG, offset);
  }
}
