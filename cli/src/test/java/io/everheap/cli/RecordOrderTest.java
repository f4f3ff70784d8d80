package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.collection.KeyOrder;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.Comparator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sorted sets and maps of records, whose order is in the program's classes only. */
class RecordOrderTest extends CommandFixture {
  record Price(long cents, long id) implements Comparable<Price> {
    @Override
    public int compareTo(Price other) {
      return Comparator.comparingLong(Price::cents)
          .thenComparingLong(Price::id)
          .compare(this, other);
    }
  }

  private static final String FIVE = "{\"cents\":1000,\"id\":5}";
  private static final String SIX = "{\"cents\":1000,\"id\":6}";

  @TempDir private Path heap;
  private String d;

  @BeforeEach
  void make() {
    d = heap.toString();
    try (Heap open = Heap.open(heap)) {
      open.sortedSet("by price", Price.class).add(new Price(1000, 5));
      open.sortedMap("prices", Price.class, String.class).put(new Price(1000, 5), "five");
      KeyOrder<Price> order = KeyOrder.of("down", Comparator.<Price>reverseOrder());
      open.root("down", DurableSortedSet.of(Price.class, order)).add(new Price(1000, 5));
      open.root("words", DurableSortedMap.of(String.class, BigInteger.class));
      open.sortedSet("big", BigInteger.class).add(BigInteger.TEN);
    }
  }

  private void printsInOneLine(int exitCode, String text, String... arguments) {
    assertThat(run(arguments)).as(out.toString()).isEqualTo(exitCode);
    assertThat(out.toString().lines()).as(out.toString()).hasSize(1);
    assertThat(out.toString()).contains(text);
  }

  @Test
  void anEntryIsFoundByItsComponents() {
    printsInOneLine(0, "true", "get", d, "by price", FIVE);
    printsInOneLine(0, "true", "get", d, "down", FIVE);
    printsInOneLine(0, "five", "get", d, "prices", FIVE);
    printsInOneLine(1, "no entry", "get", d, "by price", SIX);
    printsInOneLine(1, "no entry", "get", d, "prices", SIX);
  }

  @Test
  void changesAreLeftToTheProgram() {
    for (String root : new String[] {"by price", "down"}) {
      printsInOneLine(1, "only the program knows the order", "put", d, root, SIX);
      printsInOneLine(1, "only the program knows the order", "remove", d, root, FIVE);
    }
    printsInOneLine(1, "only the program knows the order", "put", d, "prices", SIX, "\"six\"");
    printsInOneLine(0, "true", "get", d, "by price", FIVE);
  }

  /** A few characters that would make hundreds of megabytes of digits. */
  @Test
  void aWholeNumberWithAHugeExponentIsRefused() {
    for (String number : new String[] {"1e600000000", "-1e600000000", "1e-600000000"}) {
      assertThat(run("put", d, "words", "\"a\"", number)).isEqualTo(1);
      assertThat(run("get", d, "big", number)).isEqualTo(1);
      assertThat(out.toString()).hasSizeLessThan(1000);
    }
    for (String number : new String[] {"1e9999999999", "[1e-99999999999999999999]"}) {
      printsInOneLine(1, "an exponent that is out of range", "get", d, "big", number);
    }
    assertThat(run("get", d, "big", "1e1")).as(out.toString()).isZero();
  }
}
