package io.everheap.benchmarks.tx;

import com.intel.pmem.llpl.TransactionalHeap;
import io.everheap.benchmarks.harness.Directories;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/**
 * A temporary heap of LLPL, Intel's library for persistent memory, over its native library {@code
 * libpmemobj}.
 *
 * <p>That library believes a file to be persistent memory, and writes back cache lines instead of
 * calling {@code msync}, when the environment says so. A JVM cannot change its own environment for
 * native code, hence the call of {@code setenv} before the library is loaded.
 */
final class LlplHeap implements AutoCloseable {
  private static final long POOL_BYTES = 256L << 20;

  private final Path directory;
  private final TransactionalHeap heap;

  LlplHeap(Path parent) throws IOException {
    setEnvironment("PMEM_IS_PMEM_FORCE", "1");
    directory = Directories.create(parent);
    heap = TransactionalHeap.createHeap(directory.resolve("pool").toString(), POOL_BYTES);
  }

  TransactionalHeap heap() {
    return heap;
  }

  /** LLPL cannot close a heap; the process is about to end. */
  @Override
  public void close() throws IOException {
    Directories.delete(directory);
  }

  @SuppressWarnings("restricted")
  private static void setEnvironment(String name, String value) {
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
