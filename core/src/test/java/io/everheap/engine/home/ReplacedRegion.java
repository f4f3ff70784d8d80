package io.everheap.engine.home;

import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The region of an extent, of which the next load of a word fails. */
public final class ReplacedRegion extends Region {
  private @Nullable Error failure;

  private ReplacedRegion(MemorySegment memory, Error failure) {
    super(memory, null);
    this.failure = failure;
  }

  /** Makes the next load of a word from the extent of an address fail. */
  public static void failNextLoad(Home home, long address, Error failure) {
    Region old = Objects.requireNonNull(home.extent(address));
    MemorySegment copy = Arena.ofAuto().allocate(old.size(), 4096).copyFrom(old.segment());
    home.set((int) (address >>> home.extentShift()), new ReplacedRegion(copy, failure));
  }

  @Override
  public long getLong(long offset) {
    Error thrown = failure;
    if (thrown != null) {
      failure = null;
      throw thrown;
    }
    return super.getLong(offset);
  }
}
