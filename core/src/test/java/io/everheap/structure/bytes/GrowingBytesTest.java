package io.everheap.structure.bytes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableText;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.heap.OpenHeap;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Texts and buffers of bytes. */
class GrowingBytesTest {
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Heap heap = Heap.inMemory();

  @AfterEach
  void nothingIsDamaged() {
    if (heap.isOpen()) {
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(heap.verify().problems()).isEmpty();
      heap.close();
    }
  }

  @Test
  void aTextIsEditedLikeAStringBuilder() {
    var text = heap.root("text", DurableText.of());
    assertThat(text.isEmpty()).isTrue();
    assertThat(text.toString()).isEmpty();
    text.append("Hello").append(',').append("<< world>>", 2, 8).append("\ud83d\ude00!");

    assertThat(text).hasToString("Hello, world\ud83d\ude00!");
    assertThat(text.length()).isEqualTo(15);
    assertThat(text.charAt(4)).isEqualTo('o');
    assertThat(text.subSequence(7, 12)).isEqualTo("world");
    assertThat(text.indexOf("world", 0)).isEqualTo(7);
    assertThat(text.indexOf("world", 8)).isEqualTo(-1);
    assertThat(text.indexOf("", 3)).isEqualTo(3);
    assertThat(text.replace(0, 5, "Good bye")).hasToString("Good bye, world\ud83d\ude00!");
    assertThat(text.delete(0, 10)).hasToString("world\ud83d\ude00!");
    assertThat(text.insert(5, "s")).hasToString("worlds\ud83d\ude00!");
    text.setCharAt(0, 'W');
    text.setLength(6);
    assertThat(text.contentEquals("Worlds")).isTrue();
    assertThat(text.chars().sum()).isEqualTo("Worlds".chars().sum());
    text.setLength(8);
    assertThat(text).hasToString("Worlds\0\0");
    text.clear();
    assertThat(text.toString()).isEmpty();
    assertThat(heap.roots().getFirst().kind()).isEqualTo("text");
  }

  /** Random edits around the sizes at which the representation changes. */
  @Test
  void randomEditsOfATextDoWhatTheyDoToAStringBuilder() {
    var random = new Random(3);
    var text = heap.root("text", DurableText.of());
    var expected = new StringBuilder();
    for (int i = 0; i < 400; i++) {
      int from = random.nextInt(expected.length() + 1);
      int to = from + random.nextInt(Math.min(expected.length() - from, 90_000) + 1);
      String by = "x".repeat(random.nextInt(random.nextInt(8) == 0 ? 80_000 : 50)) + i;
      boolean undone = random.nextInt(4) == 0;
      String before = undone ? expected.toString() : "";
      Runnable change =
          () -> {
            switch (random.nextInt(4)) {
              case 0 -> {
                text.append(by);
                expected.append(by);
              }
              case 1 -> {
                text.delete(from, to);
                expected.delete(from, to);
              }
              case 2 -> {
                text.setLength(to);
                expected.setLength(to);
              }
              default -> {
                text.replace(from, to, by);
                expected.replace(from, to, by);
              }
            }
          };
      if (undone) {
        assertThatThrownBy(
                () ->
                    heap.transact(
                        () -> {
                          change.run();
                          assertThat(text.contentEquals(expected)).isTrue();
                          throw new Undo();
                        }))
            .isInstanceOf(Undo.class);
        expected.setLength(0);
        expected.append(before);
      } else {
        change.run();
      }
      assertThat(text.contentEquals(expected)).as("after step %d", i).isTrue();
      if (i % 20 == 0) {
        assertThat(heap.verify().problems()).isEmpty();
      }
    }
  }

  @Test
  void aLargeTextIsFoundAndReadInParts() {
    var text = heap.root("text", DurableText.of());
    String line = "0123456789".repeat(1000);
    for (int i = 0; i < 30; i++) {
      text.append(line);
    }
    text.append("needle");
    text.append(line);

    assertThat(text.lengthLong()).isEqualTo(310_006);
    assertThat(text.indexOf("9needle0", 0)).isEqualTo(299_999);
    assertThat(text.substring(299_998, 300_008)).isEqualTo("89needle01");
    assertThat(text.charAt(300_001L)).isEqualTo('e');
    long blocks = heap.stats().blocks();
    text.clear();
    assertThat(heap.stats().blocks()).isLessThan(blocks);
  }

  @Test
  void randomEditsOfABufferDoWhatTheyDoToAnArray() {
    var random = new Random(4);
    var bytes = heap.root("bytes", DurableBytes.of());
    byte[] expected = {};
    for (int i = 0; i < 300; i++) {
      byte[] by = new byte[random.nextInt(random.nextInt(8) == 0 ? 200_000 : 100)];
      random.nextBytes(by);
      int from = random.nextInt(expected.length + 1);
      int to = from + random.nextInt(Math.min(expected.length - from, 150_000) + 1);
      switch (random.nextInt(5)) {
        case 0 -> {
          ByteBuffer buffer = ByteBuffer.wrap(by);
          bytes.append(buffer);
          assertThat(buffer.hasRemaining()).isFalse();
          expected = joined(expected, expected.length, by, expected.length);
        }
        case 1 -> {
          bytes.setLength(from);
          expected = Arrays.copyOf(expected, from);
        }
        case 2 -> {
          bytes.setLength(expected.length + 1000L);
          expected = Arrays.copyOf(expected, expected.length + 1000);
        }
        case 3 -> {
          int n = Math.min(by.length, expected.length - from);
          bytes.copyFrom(from, by, 0, n);
          System.arraycopy(by, 0, expected, from, n);
        }
        default -> {
          bytes.replace(from, to, by);
          expected = joined(expected, from, by, to);
        }
      }
      assertThat(Arrays.equals(bytes.toArray(), expected)).as("after step %d", i).isTrue();
    }
    byte[] part = new byte[10];
    bytes.append(new byte[20]);
    bytes.copyTo(5, part, 2, 8);
    assertThat(Arrays.copyOfRange(part, 2, 10)).isEqualTo(bytes.toArray(5, 13));
  }

  private static byte[] joined(byte[] old, int from, byte[] by, int to) {
    var all = new ByteArrayOutputStream();
    all.write(old, 0, from);
    all.writeBytes(by);
    all.write(old, to, old.length - to);
    return all.toByteArray();
  }

  @Test
  void aViewEndsWithItsBodyAndOneToEditStoresWhenItReturns() {
    var bytes = heap.root("bytes", DurableBytes.of());
    bytes.setLength(100);
    MemorySegment[] kept = new MemorySegment[3];
    bytes.edit(
        8,
        16,
        view -> {
          view.set(ValueLayout.JAVA_LONG, 0, -1);
          kept[0] = view;
          assertThat(bytes.get(8)).isZero();
        });
    assertThat(bytes.get(8)).isEqualTo((byte) -1);
    assertThatThrownBy(
            () ->
                bytes.edit(
                    0,
                    100,
                    view -> {
                      view.fill((byte) 9);
                      kept[1] = view;
                      throw new Undo();
                    }))
        .isInstanceOf(Undo.class);
    long read =
        bytes.read(
            8,
            8,
            view -> {
              kept[2] = view;
              assertThat(view.isReadOnly()).isTrue();
              assertThat(view.asByteBuffer().isReadOnly()).isTrue();
              return view.get(ValueLayout.JAVA_LONG, 0);
            });

    assertThat(read).isEqualTo(-1);
    assertThat(bytes.get(0)).isZero();
    for (MemorySegment view : kept) {
      assertThatThrownBy(() -> view.get(ValueLayout.JAVA_BYTE, 0))
          .isInstanceOf(IllegalStateException.class);
    }
    ByteBuffer sliced = ByteBuffer.allocate(20).position(3).slice();
    bytes.copyTo(8, sliced, 4);
    assertThat(sliced.position()).isEqualTo(4);
    assertThat(sliced.get(0)).isEqualTo((byte) -1);
    assertThat(sliced.get(4)).isZero();
  }

  @Test
  void offsetsOutsideAreRefused() {
    var bytes = heap.root("bytes", DurableBytes.of());
    bytes.append(new byte[10]);
    var text = heap.root("text", DurableText.of());
    text.append("0123456789");
    byte[] ten = new byte[10];
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> bytes.get(10),
            () -> bytes.get(-1),
            () -> bytes.get(Long.MAX_VALUE),
            () -> bytes.set(10, (byte) 1),
            () -> bytes.toArray(5, 11),
            () -> bytes.toArray(6, 5),
            () -> bytes.copyTo(5, ten, 0, 6),
            () -> bytes.copyTo(Long.MAX_VALUE, ten, 0, 6),
            () -> bytes.copyFrom(5, ten, 0, 6),
            () -> bytes.copyFrom(Long.MAX_VALUE, ten, 0, 6),
            () -> bytes.replace(5, 11, ten),
            () -> bytes.read(5, 6, view -> 0),
            () -> bytes.edit(5, Long.MAX_VALUE, view -> {}),
            () -> text.charAt(10),
            () -> text.charAt(-1),
            () -> text.charAt(Long.MAX_VALUE),
            () -> text.substring(5, 11),
            () -> text.replace(11, 11, ""),
            () -> text.setLength(-1),
            () -> text.setCharAt(10, 'x'))) {
      assertThatThrownBy(call).isInstanceOf(IndexOutOfBoundsException.class);
    }
    assertThat(bytes.length()).isEqualTo(10);
    assertThat(text).hasToString("0123456789");
  }

  @Test
  void bothOutliveTheHeap(@TempDir Path directory) {
    try (Heap first = Heap.open(directory)) {
      first.root("text", DurableText.of()).append("abc".repeat(100_000));
      first.root("bytes", DurableBytes.of()).append(new byte[] {1, 2, 3});
    }
    try (Heap second = Heap.open(directory)) {
      assertThat(second.root("text", DurableText.of()).toString()).isEqualTo("abc".repeat(100_000));
      assertThat(second.root("bytes", DurableBytes.of()).toArray()).containsExactly(1, 2, 3);
      assertThat(second.entries("text").count()).isEqualTo((300_000 + 63) / 64);
      assertThat(second.entries("bytes").toList()).hasSize(1);
      assertThat(second.verify().problems()).isEmpty();
    }
  }

  @Test
  void removedOnesAndClosedHeapsAreRefused() {
    var text = heap.root("text", DurableText.of()).append("abc");
    var bytes = heap.root("bytes", DurableBytes.of());
    bytes.append(new byte[3]);
    List<ThrowingCallable> uses =
        List.of(
            text::toString,
            text::length,
            () -> text.charAt(0),
            () -> text.append("x"),
            () -> text.replace(0, 1, "y"),
            bytes::toArray,
            () -> bytes.get(0),
            () -> bytes.edit(0, 1, view -> {}),
            () -> bytes.setLength(0));
    heap.names().forEach(heap::remove);
    heap.root("next", DurableText.of()).append("abc");
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(GoneException.class);
    }
    heap.close();
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use).isInstanceOf(ClosedException.class);
    }
  }
}
