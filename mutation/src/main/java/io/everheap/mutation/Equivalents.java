package io.everheap.mutation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The mutants that no test can or should kill: the file .ci/mutation/equivalents, a mutant on a
 * line, with the columns {@code CLASS.METHOD | MUTATOR [N] | SOURCE LINE | KIND | WHY}. The text of
 * the source line finds the mutant, so entries survive changes elsewhere in the class, and are dead
 * when the line changes. N counts the mutants of one mutator in a line. CLASS.METHOD may be {@code
 * *}.
 */
final class Equivalents {
  /** What an entry claims. */
  static final Set<String> KINDS = Set.of("speed", "unreachable", "twice", "message", "equal");

  /**
   * A line of the file.
   *
   * @param member class and method, such as {@code io.everheap.engine.tx.Turns.claim}, or {@code *}
   * @param mutator its simple name
   * @param ordinal among the mutants of this mutator in the source line, from 1; 0 for all of them
   * @param source the line of the source without indentation
   * @param kind one of {@link #KINDS}
   */
  record Entry(
      int line,
      String member,
      String mutator,
      int ordinal,
      String source,
      String kind,
      String why) {

    boolean matches(Survivor survivor) {
      return (member.equals("*") || member.equals(survivor.member()))
          && mutator.equals(survivor.result().mutator())
          && (ordinal == 0 || ordinal == survivor.result().ordinal())
          && source.equals(survivor.source());
    }
  }

  private final List<Entry> entries;

  private Equivalents(List<Entry> entries) {
    this.entries = List.copyOf(entries);
  }

  static Equivalents read(Path file) throws IOException {
    List<Entry> entries = new ArrayList<>();
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).isBlank() && !lines.get(i).startsWith("#")) {
        entries.add(parse(i + 1, lines.get(i)));
      }
    }
    return new Equivalents(entries);
  }

  List<Entry> entries() {
    return entries;
  }

  /** Whether an entry names a mutant. */
  boolean contain(Survivor survivor) {
    return entries.stream().anyMatch(entry -> entry.matches(survivor));
  }

  /**
   * The source line of an entry may itself contain {@code |}: it is between the second and the last
   * two.
   */
  private static Entry parse(int number, String line) {
    String[] columns = line.split(" \\| ", -1);
    int last = columns.length - 1;
    if (columns.length < 5
        || !KINDS.contains(columns[last - 1].strip())
        || columns[last].isBlank()) {
      throw new IllegalArgumentException(
          "line "
              + number
              + " is not CLASS.METHOD | MUTATOR | SOURCE LINE | KIND | WHY with a kind of "
              + new TreeSet<>(KINDS)
              + ": "
              + line);
    }
    List<String> mutator = List.of(columns[1].strip().split(" ", -1));
    String source = String.join(" | ", List.of(columns).subList(2, last - 1)).strip();
    return new Entry(
        number,
        columns[0].strip(),
        mutator.getFirst(),
        mutator.size() > 1 ? Integer.parseInt(mutator.getLast()) : 0,
        source,
        columns[last - 1].strip(),
        columns[last].strip());
  }
}
