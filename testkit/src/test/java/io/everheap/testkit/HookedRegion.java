package io.everheap.testkit;

import io.everheap.memory.Region;
import java.lang.foreign.MemorySegment;

/**
 * A mapping whose loads, stores and forces a hook sees, as the calls {@code load}, {@code store}
 * and {@code force}, outside of the simulation's lock. Only those accesses are seen that are made
 * of a home image; a store of another kind fails, since this region itself is read-only.
 */
final class HookedRegion extends Region {
  private final Region of;
  private final String file;
  private final HookedMedium.Hook hook;

  HookedRegion(Region of, String file, HookedMedium.Hook hook) {
    super(of.segment(), null);
    this.of = of;
    this.file = file;
    this.hook = hook;
  }

  @Override
  public long getLong(long offset) {
    hook.before("load", file);
    return super.getLong(offset);
  }

  @Override
  public void copyTo(long offset, byte[] target, int at, int length) {
    hook.before("load", file);
    super.copyTo(offset, target, at, length);
  }

  @Override
  public void copyTo(long offset, MemorySegment target, long at, long length) {
    hook.before("load", file);
    super.copyTo(offset, target, at, length);
  }

  @Override
  public void putLong(long offset, long value) {
    hook.before("store", file);
    of.putLong(offset, value);
  }

  @Override
  public void copyFrom(long offset, byte[] source, int at, int length) {
    hook.before("store", file);
    of.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, Region source, long at, long length) {
    hook.before("store", file);
    of.copyFrom(offset, source, at, length);
  }

  @Override
  public void copyFrom(long offset, MemorySegment source, long at, long length) {
    hook.before("store", file);
    of.copyFrom(offset, source, at, length);
  }

  @Override
  public void fill(long offset, long length, byte value) {
    hook.before("store", file);
    of.fill(offset, length, value);
  }

  @Override
  public void force(long offset, long length) {
    hook.before("force", file);
    of.force(offset, length);
    hook.after("force", file, offset);
  }

  @Override
  public void close() {
    of.close();
  }
}
