package io.everheap.benchmarks.medium;

import io.everheap.error.MediumException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * Writes back the cache lines of any memory and fences: what the JDK does for memory mapped with
 * {@code MAP_SYNC}, and for nothing else. The JDK does not export that, so this JVM must run with
 * {@value #OPTION}.
 */
final class CacheLines {
  /** The option that the JVM needs. */
  static final String OPTION = "--add-exports java.base/jdk.internal.misc=ALL-UNNAMED";

  private static final String MISSING = "cannot emulate persistent memory: ";

  // Constants, so that the compiler inlines the call.
  private static final @Nullable MethodHandle WRITE_BACK;
  private static final @Nullable String REASON;

  static {
    MethodHandle found = null;
    String reason = null;
    try {
      found = find();
    } catch (IllegalAccessException e) {
      reason = MISSING + "start this JVM with " + OPTION + " (./everheap bench does)";
    } catch (Throwable e) { // method handles throw anything
      reason = MISSING + e;
    }
    WRITE_BACK = found;
    REASON = reason;
  }

  private CacheLines() {}

  private static MethodHandle find() throws Throwable {
    MethodHandles.Lookup lookup = MethodHandles.lookup();
    Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
    Object unsafe =
        lookup.findStatic(type, "getUnsafe", MethodType.methodType(type)).invokeWithArguments();
    MethodHandle enabled =
        lookup.findStatic(type, "isWritebackEnabled", MethodType.methodType(boolean.class));
    if (!(boolean) enabled.invokeExact()) {
      throw new UnsupportedOperationException("this processor cannot write back a cache line");
    }
    MethodType arguments = MethodType.methodType(void.class, long.class, long.class);
    return lookup.findVirtual(type, "writebackMemory", arguments).bindTo(unsafe);
  }

  /** Throws unless {@link #writeBack} works, and says what is missing. */
  static void require() {
    if (REASON != null) {
      throw MediumException.unsupported(REASON);
    }
  }

  /** Writes back the lines of a range of mapped memory, then fences. */
  static void writeBack(long address, long length) {
    MethodHandle handle = WRITE_BACK;
    if (handle == null) {
      throw MediumException.unsupported(MISSING + REASON);
    }
    try {
      handle.invokeExact(address, length);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
