package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.TypeDifference.Kind;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The comparison of a class with stored values tries its constructor. */
class RefusingConstructorTest {
  private static int least;

  record Amount(int number) {
    Amount {
      if (number < least) {
        throw new IllegalArgumentException("too small");
      }
    }
  }

  @Test
  void aClassThatRefusesAllStoredValuesIsRefused(@TempDir Path directory) {
    least = 0;
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      DurableMap<Long, Amount> map = heap.root("map", DurableMap.of(Long.class, Amount.class));
      heap.root("set", DurableSet.of(Amount.class)).add(new Amount(1));
      heap.root("sorted", DurableSortedMap.of(Long.class, Amount.class)).put(1L, new Amount(1));
      map.set(1L, new Amount(1));
      map.set(2L, new Amount(9));
      assertThat(heap.compare(Amount.class).kind()).isEqualTo(Kind.SAME);
      least = 5;
      TypeDifference difference = heap.compare(Amount.class);
      assertThat(difference.kind()).isEqualTo(Kind.REFUSED);
      assertThat(difference.fields())
          .extracting(TypeDifference.Field::kind)
          .containsExactlyInAnyOrder(Kind.COMPATIBLE, Kind.REFUSED, Kind.REFUSED);
      assertThat(difference.fields().toString())
          .contains("1 of the first 2 stored values are refused", "all 1 of the first 1", "Amount");
    } finally {
      least = 0;
    }
  }
}
