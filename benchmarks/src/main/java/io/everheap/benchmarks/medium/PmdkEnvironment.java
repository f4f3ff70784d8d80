package io.everheap.benchmarks.medium;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/**
 * The environment variables that the native library {@code libpmemobj} reads when it is loaded. A
 * JVM cannot change its own environment for native code, hence the call of {@code setenv}.
 */
public final class PmdkEnvironment {
  private PmdkEnvironment() {}

  /**
   * Makes that library treat every file as persistent memory and write back cache lines instead of
   * calling {@code msync}. To be called before the library is loaded.
   */
  public static void forceCacheLineWriteBack() {
    set("PMEM_IS_PMEM_FORCE", "1");
  }

  @SuppressWarnings("restricted")
  private static void set(String name, String value) {
    Linker linker = Linker.nativeLinker();
    var setenv =
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow("setenv"),
            FunctionDescriptor.of(
                ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_INT));
    try (Arena arena = Arena.ofConfined()) {
      int failed = (int) setenv.invokeExact(arena.allocateFrom(name), arena.allocateFrom(value), 1);
      if (failed != 0) {
        throw new IllegalStateException("setenv failed");
      }
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
