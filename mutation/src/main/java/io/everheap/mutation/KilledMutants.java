package io.everheap.mutation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * The mutants that tests killed in earlier runs: the file .ci/mutation/killed, a class on a line,
 * with the columns {@code CLASS SOURCE MUTANTS BITS}. It makes a run of many hours one that takes
 * up where the last one ended, on any machine. SOURCE is a checksum of the class's source file:
 * when that changes, all mutants of the class are run again. BITS has a bit for each mutant, in the
 * order of their ids.
 */
final class KilledMutants {
  private static final HexFormat HEX = HexFormat.of();

  private record Line(String source, int mutants, BitSet killed) {}

  private final Map<String, Line> lines = new TreeMap<>();

  /** Reads a file; one that does not exist has no mutants. */
  static KilledMutants read(Path file) throws IOException {
    KilledMutants killed = new KilledMutants();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (!line.isBlank() && !line.startsWith("#")) {
          String[] columns = line.split(" ", -1);
          killed.lines.put(
              columns[0],
              new Line(
                  columns[1],
                  Integer.parseInt(columns[2]),
                  BitSet.valueOf(HEX.parseHex(columns[3]))));
        }
      }
    }
    return killed;
  }

  /** The names of all classes. */
  Set<String> classes() {
    return lines.keySet();
  }

  /**
   * The mutants of a class that were killed, if its source is still the same.
   *
   * @param source as {@link #checksum} gives it
   * @param ids of all mutants of the class
   */
  Set<String> of(String className, String source, Collection<String> ids) {
    Set<String> killed = new TreeSet<>();
    Line line = lines.get(className);
    if (line != null && line.source.equals(source) && line.mutants == ids.size()) {
      List<String> sorted = ids.stream().sorted().toList();
      line.killed.stream().forEach(i -> killed.add(sorted.get(i)));
    }
    return killed;
  }

  /** Adds mutants that were killed to those of the same source. */
  void add(String className, String source, Collection<String> ids, Set<String> killed) {
    Set<String> all = of(className, source, ids);
    all.addAll(killed);
    BitSet bits = new BitSet();
    List<String> sorted = ids.stream().sorted().toList();
    for (int i = 0; i < sorted.size(); i++) {
      bits.set(i, all.contains(sorted.get(i)));
    }
    lines.put(className, new Line(source, ids.size(), bits));
  }

  /** Writes the file, under the comments that it begins with. */
  void write(Path file) throws IOException {
    List<String> text = new ArrayList<>();
    if (Files.exists(file)) {
      Files.readAllLines(file).stream().filter(line -> line.startsWith("#")).forEach(text::add);
    }
    lines.forEach(
        (name, line) ->
            text.add(
                String.join(
                    " ",
                    name,
                    line.source,
                    Integer.toString(line.mutants),
                    HEX.formatHex(line.killed.toByteArray()))));
    Files.write(file, text);
  }

  /** The checksum of a source file. */
  static String checksum(Path source) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(Files.readString(source).getBytes(StandardCharsets.UTF_8));
    return HEX.toHexDigits((int) crc.getValue());
  }
}
