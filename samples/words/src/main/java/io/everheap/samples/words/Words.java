package io.everheap.samples.words;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.Heap;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableSortedMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Counts the words of a text: {@code Words DIRECTORY FILE}. Counts and the number of lines that
 * they cover change in one transaction, so a process that follows a killed one goes on where it
 * stopped, and counts no word twice.
 */
public final class Words {
  private static final Pattern WORD = Pattern.compile("\\p{L}+");
  private static final int LINES = 100;

  private Words() {}

  /**
   * Runs the program.
   *
   * @param arguments directory of the heap, a text in UTF-8
   */
  public static void main(String[] arguments) throws IOException {
    try (Heap heap = Heap.open(Path.of(arguments[0]));
        BufferedReader text = Files.newBufferedReader(Path.of(arguments[1]), UTF_8)) {
      DurableSortedMap<String, Long> counts = heap.sortedMap("counts", String.class, Long.class);
      DurableAtomicLong done = heap.root("lines done", DurableAtomicLong.of());
      System.out.println("from line " + done.get());
      for (long i = 0; i < done.get(); i++) {
        text.readLine();
      }
      while (heap.transact(() -> count(text, counts, done)) == LINES) {
        System.out.println("line " + done.get());
      }
      counts.forEach((word, count) -> System.out.println(word + " " + count));
      System.out.println("end");
    }
  }

  /** Counts the next lines, and returns how many there were. */
  private static int count(
      BufferedReader text, DurableSortedMap<String, Long> counts, DurableAtomicLong done)
      throws IOException {
    int lines = 0;
    for (; lines < LINES; lines++) {
      String line = text.readLine();
      if (line == null) {
        break;
      }
      WORD.matcher(line)
          .results()
          .map(MatchResult::group)
          .forEach(word -> counts.merge(word.toLowerCase(Locale.ROOT), 1L, Long::sum));
    }
    done.addAndGet(lines);
    return lines;
  }
}
