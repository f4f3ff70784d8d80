package io.everheap.support.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.support.fuzz.Directories;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files that a release left among the test resources of a module, in {@code releases/VERSION}:
 * zipped directories, texts that list what the directories hold, and the key of those that are
 * encrypted. CONTRIBUTING.md says how a release adds its files.
 *
 * @param version of the release
 */
public record Release(String version) {
  /** The key of all encrypted directories of a release: 64 hexadecimal digits. */
  private static final String KEY = "key";

  /** The entry of a zip file with the lengths of all files, since zeros at ends are not packed. */
  private static final String LENGTHS = "lengths";

  private static final int BLOCK = 1 << 16;

  /**
   * Returns the releases whose files every build must read, the oldest first.
   *
   * @return all of them
   */
  public static List<Release> all() {
    return List.of(new Release("0.9.0"));
  }

  /**
   * Unpacks a directory. If it was packed as changes of another one, that one must be unpacked
   * there already.
   *
   * @param name of the zip file, without its ending
   * @param to the directory that gets the files
   */
  public void unzip(String name, Path to) throws IOException {
    try (ZipInputStream in = new ZipInputStream(open(name + ".zip"))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path file = to.resolve(entry.getName());
        if (entry.getName().equals(LENGTHS)) {
          setLengths(new String(in.readAllBytes(), UTF_8), to);
        } else if (entry.isDirectory()) {
          Files.createDirectories(file);
        } else {
          Files.createDirectories(file.getParent());
          combine(in, file);
        }
      }
    }
  }

  /**
   * Unpacks a directory, and reads its files.
   *
   * @param name of the zip file, without its ending
   * @param to the directory that gets the files
   * @return their contents, by their names with slashes
   */
  public SequencedMap<String, byte[]> contents(String name, Path to) throws IOException {
    unzip(name, to);
    return Directories.read(to);
  }

  /** Combines what a file has with other bytes by exclusive or; leaves holes where all are zero. */
  private static void combine(InputStream in, Path file) throws IOException {
    try (var out = new RandomAccessFile(file.toFile(), "rw")) {
      long end = 0;
      for (byte[] part = in.readNBytes(BLOCK); part.length > 0; part = in.readNBytes(BLOCK)) {
        if (!isZero(part)) {
          xor(part, read(out, end));
          out.seek(end);
          out.write(part);
        }
        end += part.length;
      }
      if (out.length() < end) {
        out.setLength(end);
      }
    }
  }

  /** Gives each listed file its length, and deletes the others. */
  private static void setLengths(String list, Path directory) throws IOException {
    Map<String, Long> lengths = new TreeMap<>();
    for (String line : list.lines().toList()) {
      int space = line.indexOf(' ');
      lengths.put(line.substring(space + 1), Long.parseLong(line.substring(0, space)));
    }
    for (Path file : Directories.files(directory)) {
      Long length = lengths.get(Directories.name(directory, file));
      if (length == null) {
        Files.delete(file);
      } else {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
          out.setLength(length);
        }
      }
    }
  }

  /**
   * Returns what a directory holds, as the release wrote it down.
   *
   * @param name of the text file, without its ending
   * @return the part of each line after the first {@code =}, by the part before it
   */
  public Map<String, String> contents(String name) throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (InputStream in = open(name + ".txt")) {
      for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
        int equals = line.indexOf('=');
        contents.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return contents;
  }

  /**
   * Returns the key with which the release encrypted its directories.
   *
   * @return its 32 bytes
   */
  public byte[] key() throws IOException {
    try (InputStream in = open(KEY)) {
      return HexFormat.of().parseHex(new String(in.readAllBytes(), UTF_8).strip());
    }
  }

  private InputStream open(String name) throws IOException {
    String path = "/releases/" + version + "/" + name;
    InputStream in = Release.class.getResourceAsStream(path);
    if (in == null) {
      throw new FileNotFoundException(path);
    }
    return new BufferedInputStream(in);
  }

  /**
   * Packs a directory, which may be open, without the files that belong to its process. Empty
   * directories are kept.
   *
   * @param directory the files to pack
   * @param to the zip file, which must not exist
   */
  public static void zip(Path directory, Path to) throws IOException {
    zip(directory, null, to);
  }

  /**
   * Packs a directory as changes of another one: each byte is combined with that of the other file
   * by exclusive or. Encrypted files that are nearly the same take little space that way.
   *
   * @param directory the files to pack
   * @param base where the files were before they changed; null if all files are packed as they are
   * @param to the zip file, which must not exist
   */
  public static void zip(Path directory, @Nullable Path base, Path to) throws IOException {
    try (ZipOutputStream out =
        new ZipOutputStream(Files.newOutputStream(to, StandardOpenOption.CREATE_NEW))) {
      out.setLevel(9);
      for (Path empty : emptyDirectories(directory)) {
        out.putNextEntry(new ZipEntry(Directories.name(directory, empty) + "/"));
      }
      StringBuilder lengths = new StringBuilder();
      for (Path file : Directories.files(directory)) {
        String name = Directories.name(directory, file);
        out.putNextEntry(new ZipEntry(name));
        lengths.append(Files.size(file)).append(' ').append(name).append('\n');
        copy(file, base == null ? null : base.resolve(name), out);
      }
      out.putNextEntry(new ZipEntry(LENGTHS));
      out.write(lengths.toString().getBytes(UTF_8));
    }
  }

  /** Copies a file, combined with another one, without the zeros at its end. */
  private static void copy(Path file, @Nullable Path base, OutputStream out) throws IOException {
    try (var in = new RandomAccessFile(file.toFile(), "r");
        var other =
            base == null || !Files.exists(base) ? null : new RandomAccessFile(base.toFile(), "r")) {
      long zeros = 0;
      long at = 0;
      for (byte[] part = read(in, at); part.length > 0; part = read(in, at)) {
        at += part.length;
        if (other != null) {
          xor(part, read(other, at - part.length));
        }
        if (isZero(part)) {
          zeros += part.length;
        } else {
          for (; zeros > 0; zeros -= Math.min(zeros, BLOCK)) {
            out.write(new byte[(int) Math.min(zeros, BLOCK)]);
          }
          out.write(part);
        }
      }
    }
  }

  /** Reads a block of a file; a shorter one at its end. */
  private static byte[] read(RandomAccessFile file, long at) throws IOException {
    byte[] part = new byte[Math.clamp(file.length() - at, 0, BLOCK)];
    file.seek(at);
    file.readFully(part);
    return part;
  }

  private static boolean isZero(byte[] part) {
    return Arrays.mismatch(part, new byte[part.length]) < 0;
  }

  private static void xor(byte[] part, byte[] other) {
    for (int i = 0; i < Math.min(part.length, other.length); i++) {
      part[i] ^= other[i];
    }
  }

  private static List<Path> emptyDirectories(Path directory) throws IOException {
    List<Path> empty = new ArrayList<>();
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.filter(Files::isDirectory).sorted().toList()) {
        try (Stream<Path> inside = Files.list(path)) {
          if (inside.findAny().isEmpty()) {
            empty.add(path);
          }
        }
      }
    }
    return empty;
  }

  /**
   * Writes down what a directory holds.
   *
   * @param contents texts without line ends, by keys without {@code =}
   * @param to the text file, which must not exist
   */
  public static void write(Map<String, String> contents, Path to) throws IOException {
    List<String> lines = new ArrayList<>();
    new TreeMap<>(contents).forEach((key, value) -> lines.add(key + "=" + value));
    Files.write(to, lines, StandardOpenOption.CREATE_NEW);
  }

  /**
   * Keeps the key of encrypted directories beside them, unless it is there.
   *
   * @param directory of the release
   * @return the 32 bytes of the key
   */
  public static byte[] keyIn(Path directory) throws IOException {
    Path file = directory.resolve(KEY);
    if (!Files.exists(file)) {
      byte[] key = new byte[32];
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) (7 * i + 1);
      }
      Files.writeString(file, HexFormat.of().formatHex(key) + "\n");
    }
    return HexFormat.of().parseHex(Files.readString(file).strip());
  }

  @Override
  public String toString() {
    return version;
  }
}
