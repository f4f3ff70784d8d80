package io.everheap;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.journal.Journal;
import io.everheap.journal.JournalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * Makes what each release leaves for the builds after it: a heap that was closed, one whose process
 * was killed, a journal, and what they hold.
 */
public final class ReleasedFiles {
  static final String CLOSED = "closed";
  static final String KILLED = "killed";
  static final String JOURNAL = "journal";
  static final String CONTENTS = "contents.txt";

  private ReleasedFiles() {}

  /**
   * Makes them.
   *
   * @param arguments the directory of the release, which must not exist
   */
  public static void main(String[] arguments) throws Exception {
    Path to = Files.createDirectory(Path.of(arguments[0]));
    Path work = Files.createTempDirectory("release");
    Map<String, String> contents;
    try (Heap heap = Heap.builder(work.resolve(CLOSED)).logSize(16 << 20).open()) {
      new EveryRead(heap);
      contents = contents(heap);
    }
    try (Heap heap = Heap.builder(work.resolve(KILLED)).logSize(16 << 20).open()) {
      new EveryRead(heap);
      heap.checkpoint();
      heap.map("words", Long.class, Long.class).put(1_000L, 1L); // only in the log
      zip(work.resolve(KILLED), to.resolve(KILLED + ".zip"));
    }
    try (Journal journal =
        Journal.builder(work.resolve(JOURNAL)).segmentSize(1 << 20).timestamps().open()) {
      for (int i = 0; i < 5_000; i++) {
        journal.append(record(i).getBytes(UTF_8));
      }
      journal.truncateBefore(1_000);
    }
    zip(work.resolve(CLOSED), to.resolve(CLOSED + ".zip"));
    zip(work.resolve(JOURNAL), to.resolve(JOURNAL + ".zip"));
    List<String> lines = new ArrayList<>();
    contents.forEach((name, digest) -> lines.add(name + "=" + digest));
    Files.write(to.resolve(CONTENTS), lines);
  }

  /** The record of a journal with this sequence. */
  static String record(int sequence) {
    return "record " + sequence + " ".repeat(sequence % 300);
  }

  /** A digest of the entries of each root. */
  static Map<String, String> contents(Heap heap) {
    Map<String, String> contents = new TreeMap<>();
    for (String name : heap.names()) {
      int[] digest = new int[2];
      heap.entries(name)
          .forEach(
              entry -> {
                digest[0]++;
                digest[1] += 31 * digest(entry.getKey()) + digest(entry.getValue());
              });
      contents.put(name, digest[0] + " " + Integer.toHexString(digest[1]));
    }
    return contents;
  }

  private static int digest(Object value) {
    return switch (value) {
      case null -> 0;
      case byte[] bytes -> Arrays.hashCode(bytes);
      case Number number -> number.hashCode();
      case String text -> text.hashCode();
      default -> value.getClass().getSimpleName().hashCode();
    };
  }

  /** All records of a journal, by their sequences. */
  static Map<Long, String> records(Journal journal) {
    Map<Long, String> records = new TreeMap<>();
    try (JournalReader reader = journal.reader()) {
      reader.forEach(
          (sequence, data) -> {
            records.put(sequence, new String(data.toArray(ValueLayout.JAVA_BYTE), UTF_8));
            return true;
          });
    }
    return records;
  }

  private static void zip(Path directory, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(directory);
        ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(to))) {
      out.setLevel(9);
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = directory.relativize(file).toString();
        if (!name.equals("lock") && !name.equals("owner") && !name.equals("counters")) {
          out.putNextEntry(new ZipEntry(name));
          Files.copy(file, out);
        }
      }
    }
  }

  /** Unpacks a file of a release. */
  static void unzip(String release, String name, Path to) {
    try (ZipInputStream in =
        new ZipInputStream(ReleasedFiles.class.getResourceAsStream(path(release, name + ".zip")))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = to.resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(in, file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the files of a release are among the resources. */
  static String path(String release, String name) {
    return "/releases/" + release + "/" + name;
  }
}
