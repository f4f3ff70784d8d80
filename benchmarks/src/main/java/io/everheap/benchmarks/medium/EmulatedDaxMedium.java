package io.everheap.benchmarks.medium;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Persistent memory emulated by an ordinary file system, preferably one in memory such as {@code
 * /dev/shm}: the same mappings, stores, cache-line write-backs and fences, but bytes that are lost
 * with the power. It shows the instruction path and its cost, not a device's latency.
 *
 * <p>A directory is a heap of its own kind: open it with this medium only.
 */
public final class EmulatedDaxMedium implements Medium {
  private final FileMedium files;

  private EmulatedDaxMedium(FileMedium files) {
    this.files = files;
  }

  /**
   * Opens a directory and makes it if it is missing.
   *
   * @param directory the heap
   * @return the medium
   * @throws MediumException if this JVM was not started with the option that lets it write back
   *     cache lines, or the processor cannot
   */
  public static EmulatedDaxMedium open(Path directory) {
    CacheLines.require();
    return new EmulatedDaxMedium(FileMedium.open(directory, false, true));
  }

  private MediumFile emulated(MediumFile file) {
    return new EmulatedDaxFile(file, Path.of(files.location()).resolve(file.name()));
  }

  /**
   * Why this JVM cannot emulate persistent memory in a directory.
   *
   * @param memory a directory in memory
   * @return the reason, or {@code null} if it can
   */
  public static @Nullable String obstacle(Path memory) {
    try {
      open(memory.resolve("probe")).close();
      return null;
    } catch (EverheapException e) {
      return e.getMessage();
    }
  }

  @Override
  public String name() {
    return "emulated-dax";
  }

  @Override
  public boolean byteAddressable() {
    return true;
  }

  @Override
  public MediumFile create(String name) {
    return emulated(files.create(name));
  }

  @Override
  public MediumFile open(String name) {
    return emulated(files.open(name));
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return emulated(files.openLog(name, how));
  }

  @Override
  public String location() {
    return files.location();
  }

  @Override
  public boolean readOnly() {
    return files.readOnly();
  }

  @Override
  public String incarnation() {
    return files.incarnation();
  }

  @Override
  public boolean exists(String name) {
    return files.exists(name);
  }

  @Override
  public List<String> list(String directory) {
    return files.list(directory);
  }

  @Override
  public void rename(String from, String to) {
    files.rename(from, to);
  }

  @Override
  public void delete(String name) {
    files.delete(name);
  }

  @Override
  public void syncDirectory(String directory) {
    files.syncDirectory(directory);
  }

  @Override
  public DurableWrite probeDurableWrite() {
    return files.probeDurableWrite();
  }

  @Override
  public void close() {
    files.close();
  }
}
