package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.ReadOnlyException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadOnlyHeapTest {
  private static final int ENTRIES = 60;

  @TempDir Path temp;

  private void assertOnlyRead(Path heap) {
    Map<String, String> before = TestHeaps.files(heap);
    try (Heap reader = TestHeaps.openReadOnly(heap)) {
      DurableMap<Integer, String> map = TestHeaps.numbers(reader);
      TestHeaps.assertHolds(reader, ENTRIES);
      for (Map<String, Callable<?>> writes :
          java.util.List.of(Operations.writes(map), Operations.writes(reader, map))) {
        Operations.assertAllThrow(
            writes,
            ReadOnlyException.class,
            "EH-READ-ONLY",
            heap.toString(),
            "open it for writing");
      }
      assertThatExceptionOfType(ReadOnlyException.class)
          .isThrownBy(() -> reader.map("new", String.class, String.class))
          .returns("EH-READ-ONLY", EverheapException::code);
      Operations.reads(reader, map)
          .forEach((name, call) -> assertThat(call).as(name).satisfies(Callable::call));
      Operations.reads(map)
          .forEach((name, call) -> assertThat(call).as(name).satisfies(Callable::call));
      TestHeaps.assertHolds(reader, ENTRIES);
      assertThat(TestHeaps.files(heap)).as("while it is open").isEqualTo(before);
    }
    assertThat(TestHeaps.files(heap)).as("after it was closed").isEqualTo(before);
    TestHeaps.assertHolds(heap, ENTRIES);
  }

  @Test
  void aClosedHeapIsReadAndNoByteChanges() {
    Path heap = temp.resolve("h");
    TestHeaps.create(heap, ENTRIES);
    assertOnlyRead(heap);
  }

  @Test
  void aKilledHeapShowsWhatWasCommittedAndNoByteChanges() {
    assertOnlyRead(TestHeaps.killed(temp.resolve("h"), ENTRIES));
  }

  @Test
  void soDoesOneThatLostPower() {
    assertOnlyRead(TestHeaps.powerless(temp.resolve("h"), ENTRIES));
  }

  @Test
  void whatIsReadTwiceIsTheSame() {
    Path heap = TestHeaps.killed(temp.resolve("h"), ENTRIES);
    for (int i = 0; i < 2; i++) {
      try (Heap reader = TestHeaps.openReadOnly(heap)) {
        TestHeaps.assertHolds(reader, ENTRIES);
        assertThat(reader.stats().recovery().clean()).isFalse();
        assertThat(reader.stats().recovery().transactions()).isGreaterThanOrEqualTo(ENTRIES);
      }
    }
  }
}
