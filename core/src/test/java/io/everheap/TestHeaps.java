package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.HeapCopy;
import io.everheap.heap.HeapSettings;
import io.everheap.report.VerifyReport;
import io.everheap.support.KeyBytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Small heaps to break: what they are made of, what they must hold afterwards, and what is in their
 * directories. A heap holds the entries 0 to n - 1 of one map, each from a commit of its own.
 */
public final class TestHeaps {
  static final String NAME = "numbers";

  /** An hour: longer than any test. */
  static final long HOUR = 3_600_000_000_000L;

  private TestHeaps() {}

  /** Small files, and nothing runs by itself: a copy of the files is what a kill leaves. */
  public static EngineOptions manual() {
    return options(1L << 30, 1L << 28, HOUR, true, 0, false);
  }

  /** A builder of heaps with {@link #manual} options. */
  public static HeapBuilder builder(Path directory) {
    return HeapSettings.options(Heap.builder(directory), manual());
  }

  /** Small files, with the threads that a heap usually has. */
  public static EngineOptions automatic() {
    return options(1L << 30, 1L << 28, HOUR, true, 0, true);
  }

  /** Small files, with these limits. */
  public static EngineOptions options(
      long maxCapacity,
      long maxTransaction,
      long lockTimeoutNanos,
      boolean sync,
      long asyncNanos,
      boolean automatic) {
    return new EngineOptions(
        maxCapacity,
        22,
        1 << 20,
        1 << 16,
        1 << 17,
        maxTransaction,
        64 << 20,
        lockTimeoutNanos,
        sync,
        asyncNanos,
        automatic);
  }

  public static Heap open(Path directory) {
    return HeapSettings.options(Heap.builder(directory), manual()).open();
  }

  public static Heap openReadOnly(Path directory) {
    return HeapSettings.options(Heap.builder(directory), manual()).readOnly().open();
  }

  public static DurableMap<Integer, String> numbers(Heap heap) {
    return heap.map(NAME, Integer.class, String.class);
  }

  public static String value(int key) {
    return "value " + key;
  }

  /** Commits the entries from {@code from} to {@code to - 1}, one by one. */
  public static void put(Heap heap, int from, int to) {
    DurableMap<Integer, String> map = numbers(heap);
    for (int i = from; i < to; i++) {
      map.put(i, value(i));
    }
  }

  /** Makes a heap with some entries and closes it. */
  public static void create(Path directory, int entries) {
    try (Heap heap = open(directory)) {
      put(heap, 0, entries);
    }
  }

  /** Makes what a killed process leaves that had committed some entries. */
  public static Path killed(Path directory, int entries) {
    Path original = directory.resolveSibling(directory.getFileName() + ".running");
    try (Heap heap = open(original)) {
      put(heap, 0, entries);
      return HeapCopy.killed(original, directory);
    }
  }

  /** Makes what a power loss leaves of a heap with some entries. */
  public static Path powerless(Path directory, int entries) {
    Path original = directory.resolveSibling(directory.getFileName() + ".running");
    try (Heap heap = open(original)) {
      put(heap, 0, entries);
      return HeapCopy.powerless(original, directory);
    }
  }

  /** Opens, checks and closes a heap that must hold exactly these entries, and be in order. */
  public static void assertHolds(Path directory, int entries) {
    try (Heap heap = open(directory)) {
      assertHolds(heap, entries);
    }
  }

  public static void assertHolds(Heap heap, int entries) {
    assertThat(new HashMap<>(numbers(heap))).isEqualTo(expected(entries));
    VerifyReport report = heap.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.ok()).isTrue();
  }

  public static Map<Integer, String> expected(int entries) {
    Map<Integer, String> expected = new HashMap<>();
    for (int i = 0; i < entries; i++) {
      expected.put(i, value(i));
    }
    return expected;
  }

  /** Size and hash of every file of a directory, by relative name; and its directories. */
  public static Map<String, String> files(Path directory) {
    Map<String, String> result = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = directory.relativize(file).toString();
        result.put(name, Files.isDirectory(file) ? "directory" : hash(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return result;
  }

  /** The same without the files of the lock, which hold nothing of the heap. */
  public static Map<String, String> data(Path directory) {
    Map<String, String> result = files(directory);
    result.remove("lock");
    result.remove("owner");
    return result;
  }

  private static String hash(Path file) throws IOException {
    try {
      byte[] bytes = Files.readAllBytes(file);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return bytes.length + " bytes, " + HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Flips bits of one byte of a file. */
  public static void flip(Path file, long offset, int bits) {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer b = ByteBuffer.allocate(1);
      channel.read(b, offset);
      b.put(0, (byte) (b.get(0) ^ bits));
      channel.write(b.clear(), offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void write(Path file, long offset, ByteBuffer bytes) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(bytes, offset);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void truncate(Path file, long size) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A wrapping key; each number has another one. */
  static KeyProvider key(int seed) {
    return KeyProvider.of(KeyBytes.of(seed));
  }
}
