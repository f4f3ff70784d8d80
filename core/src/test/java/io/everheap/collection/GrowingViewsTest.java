package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ClosedException;
import io.everheap.error.GoneException;
import io.everheap.error.ReadOnlyException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Views of texts and buffers: they end with their bodies, and what they store is a transaction. */
@Campaign
class GrowingViewsTest {
  private static final int LENGTH = 200_000; // in chunks, of which a view crosses some

  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A text or a buffer, whose views are segments or buffers. */
  enum Kind {
    BYTES_SEGMENT,
    BYTES_BUFFER,
    TEXT_SEGMENT,
    TEXT_BUFFER;

    boolean isText() {
      return this == TEXT_SEGMENT || this == TEXT_BUFFER;
    }

    Viewed of(Heap heap) {
      return isText()
          ? new Viewed(this, heap, heap.root("viewed", DurableText.of()), null)
          : new Viewed(this, heap, null, heap.root("viewed", DurableBytes.of()));
    }
  }

  /** One of them, with {@link #LENGTH} bytes once it is filled. */
  record Viewed(Kind kind, Heap heap, @Nullable DurableText text, @Nullable DurableBytes bytes) {
    Viewed filled() {
      if (text != null) {
        text.setLength(LENGTH / 2);
      } else if (bytes != null) {
        bytes.setLength(LENGTH);
      }
      return this;
    }

    long length() {
      return text != null ? 2 * text.lengthLong() : bytes == null ? 0 : bytes.length();
    }

    void cut(int length) {
      if (text != null) {
        text.setLength(length / 2);
      } else if (bytes != null) {
        bytes.setLength(length);
      }
    }

    void read(int from, int to, Consumer<View> body) {
      switch (kind) {
        case BYTES_SEGMENT -> bytes.read(from, to - from, view -> used(body, new View(view)));
        case BYTES_BUFFER -> bytes.readBuffer(from, to - from, view -> used(body, new View(view)));
        case TEXT_SEGMENT -> text.read(from / 2, to / 2, view -> used(body, new View(view)));
        case TEXT_BUFFER -> text.readBuffer(from / 2, to / 2, view -> used(body, new View(view)));
      }
    }

    private static String used(Consumer<View> body, View view) {
      body.accept(view);
      return "";
    }

    void edit(int from, int to, Consumer<View> body) {
      switch (kind) {
        case BYTES_SEGMENT -> bytes.edit(from, to - from, view -> body.accept(new View(view)));
        case BYTES_BUFFER -> bytes.editBuffer(from, to - from, view -> body.accept(new View(view)));
        case TEXT_SEGMENT -> text.edit(from / 2, to / 2, view -> body.accept(new View(view)));
        case TEXT_BUFFER -> text.editBuffer(from / 2, to / 2, view -> body.accept(new View(view)));
      }
    }

    /** The sum of all bytes, as it is stored. */
    long sum() {
      long[] sum = new long[1];
      read(0, (int) length(), view -> sum[0] = view.sum());
      return sum[0];
    }
  }

  /** A view, whichever class it has. */
  record View(@Nullable MemorySegment segment, @Nullable ByteBuffer buffer) {
    View(MemorySegment segment) {
      this(segment, null);
    }

    View(ByteBuffer buffer) {
      this(null, buffer);
    }

    byte get(int at) {
      return segment != null ? segment.get(ValueLayout.JAVA_BYTE, at) : buffer.get(at);
    }

    void set(int at, byte value) {
      if (segment != null) {
        segment.set(ValueLayout.JAVA_BYTE, at, value);
      } else {
        buffer.put(at, value);
      }
    }

    int size() {
      return segment != null ? (int) segment.byteSize() : buffer.capacity();
    }

    void fill(int value) {
      for (int i = 0; i < size(); i++) {
        set(i, (byte) value);
      }
    }

    long sum() {
      long sum = 0;
      for (int i = 0; i < size(); i++) {
        sum += get(i);
      }
      return sum;
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsEditedIsStoredWhenTheBodyReturns(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();

      viewed.edit(
          1000,
          150_000,
          view -> {
            assertThat(view.size()).isEqualTo(149_000);
            view.fill(1);
            assertThat(viewed.sum()).as("before the body returned").isZero();
          });

      assertThat(viewed.sum()).isEqualTo(149_000);
      viewed.read(998, 1002, view -> assertThat(view.get(1) * 10 + view.get(2)).isOne());
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void ofABodyThatThrowsNothingIsStoredNorOfATransactionThatFails(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      ThrowingCallable alone =
          () ->
              viewed.edit(
                  0,
                  LENGTH,
                  view -> {
                    view.fill(1);
                    throw new Undo();
                  });
      ThrowingCallable within =
          () ->
              heap.transact(
                  () -> {
                    viewed.edit(0, LENGTH, view -> view.fill(1));
                    assertThat(viewed.sum()).isEqualTo(LENGTH);
                    throw new Undo();
                  });

      assertThatThrownBy(alone).isInstanceOf(Undo.class);
      assertThatThrownBy(within).isInstanceOf(Undo.class);
      assertThat(viewed.sum()).isZero();

      heap.transact(
          () -> {
            viewed.edit(0, 100, view -> view.fill(1));
            assertThatThrownBy(alone).isInstanceOf(Undo.class); // undone by itself
          });
      assertThat(viewed.sum()).isEqualTo(100);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aViewThatWasKeptThrowsAndChangesNothing(Kind kind) {
    List<View> kept = new ArrayList<>();
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      viewed.read(0, 100, kept::add);
      viewed.edit(0, 100, kept::add);
      heap.transact(
          () -> {
            viewed.edit(0, 100, kept::add);
            assertEnded(kept); // the transaction goes on, the body does not
          });
      assertThatThrownBy(
              () ->
                  viewed.edit(
                      0,
                      100,
                      view -> {
                        kept.add(view);
                        throw new Undo();
                      }))
          .isInstanceOf(Undo.class);
      assertThat(kept).hasSize(4);
      assertEnded(kept);
      assertThat(viewed.sum()).isZero();
    }
    assertEnded(kept);
  }

  private static void assertEnded(List<View> kept) {
    for (View view : kept) {
      assertThatThrownBy(() -> view.get(0)).isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(() -> view.set(0, (byte) 1))
          .isInstanceOfAny(
              IllegalStateException.class, // of reads, what comes first is that they only read
              IllegalArgumentException.class,
              ReadOnlyBufferException.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aViewToReadCannotBeWritten(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      viewed.read(
          0,
          100,
          view ->
              assertThatThrownBy(() -> view.set(0, (byte) 1))
                  .isInstanceOfAny(IllegalArgumentException.class, ReadOnlyBufferException.class));
      assertThat(viewed.sum()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void noViewReachesBeyondWhatWasAskedFor(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      for (int at : new int[] {-1, 100}) {
        viewed.edit(
            50,
            150,
            view -> {
              assertThatThrownBy(() -> view.get(at)).isInstanceOf(IndexOutOfBoundsException.class);
              assertThatThrownBy(() -> view.set(at, (byte) 1))
                  .isInstanceOf(IndexOutOfBoundsException.class);
            });
      }
      for (int[] range :
          new int[][] {{-2, 10}, {10, 8}, {0, LENGTH + 2}, {LENGTH + 2, LENGTH + 4}}) {
        AtomicBoolean ran = new AtomicBoolean();
        assertThatThrownBy(() -> viewed.read(range[0], range[1], view -> ran.set(true)))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> viewed.edit(range[0], range[1], view -> ran.set(true)))
            .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(ran).isFalse();
      }
      viewed.edit(LENGTH, LENGTH, view -> assertThat(view.size()).isZero());
      assertThat(viewed.sum()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherThreadCannotUseAView(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      viewed.edit(
          0,
          100,
          view ->
              assertThat(failureInAnotherThread(() -> view.set(0, (byte) 1)))
                  .isInstanceOf(WrongThreadException.class));
      viewed.read(
          0,
          100,
          view ->
              assertThat(failureInAnotherThread(() -> view.get(0)))
                  .isInstanceOf(WrongThreadException.class));
      assertThat(viewed.sum()).isZero();
    }
  }

  private static @Nullable Throwable failureInAnotherThread(Runnable use) {
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    Thread thread = Thread.ofPlatform().unstarted(use);
    thread.setUncaughtExceptionHandler((t, e) -> failure.set(e));
    thread.start();
    try {
      Limit.join(thread);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return failure.get();
  }

  @ParameterizedTest
  @EnumSource
  void aBodyThatRemovesOrCutsWhatItEditsFailsAndIsUndone(Kind kind) {
    try (Heap heap = Heap.inMemory()) {
      Viewed viewed = kind.of(heap).filled();
      assertThatThrownBy(
              () ->
                  viewed.edit(
                      0,
                      100,
                      view -> {
                        view.fill(1);
                        heap.remove("viewed");
                      }))
          .isInstanceOf(GoneException.class);
      assertThatThrownBy(
              () ->
                  viewed.edit(
                      0,
                      100,
                      view -> {
                        view.fill(1);
                        viewed.cut(50);
                      }))
          .isInstanceOf(IndexOutOfBoundsException.class);

      assertThat(viewed.length()).isEqualTo(LENGTH);
      assertThat(viewed.sum()).isZero();
      heap.remove("viewed");
      assertThatThrownBy(() -> viewed.read(0, 0, view -> {})).isInstanceOf(GoneException.class);
      assertThatThrownBy(() -> viewed.edit(0, 0, view -> {})).isInstanceOf(GoneException.class);
      OpenHeap.engine(heap).drainHousekeeping();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aHeapThatOnlyReadsHasViewsToReadAlone(Kind kind, @TempDir Path directory) {
    try (Heap heap = Heap.open(directory)) {
      kind.of(heap).filled().edit(0, 100, view -> view.fill(1));
    }
    try (Heap heap = Heap.builder(directory).readOnly().open()) {
      Viewed viewed = kind.of(heap);
      AtomicBoolean ran = new AtomicBoolean();
      assertThatThrownBy(() -> viewed.edit(0, 100, view -> ran.set(true)))
          .isInstanceOf(ReadOnlyException.class);
      assertThat(ran).isFalse();
      assertThat(viewed.sum()).isEqualTo(100);
    }
  }

  /** The heap waits for a body that edits; one that reads goes on with its copy, and ends. */
  @ParameterizedTest
  @EnumSource
  void closingTheHeapWaitsForWhoEditsAndEndsAllViews(Kind kind, @TempDir Path directory)
      throws InterruptedException {
    List<View> kept = new ArrayList<>();
    Heap heap = Heap.open(directory);
    Viewed viewed = kind.of(heap).filled();
    var editing = new CountDownLatch(1);
    Thread closing =
        Thread.ofPlatform()
            .start(
                () -> {
                  awaitCalmly(editing);
                  heap.close();
                });
    viewed.edit(
        0,
        100,
        view -> {
          kept.add(view);
          assertThatThrownBy(heap::close).isInstanceOf(IllegalStateException.class);
          editing.countDown();
          view.fill(1);
        });
    Limit.join(closing);
    assertEnded(kept);
    assertThatThrownBy(() -> viewed.edit(0, 100, view -> view.fill(2)))
        .isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> viewed.read(0, 100, kept::add)).isInstanceOf(ClosedException.class);

    Heap again = Heap.open(directory);
    Viewed found = kind.of(again);
    assertThat(found.sum()).isEqualTo(100);
    found.read(
        0,
        100,
        view -> {
          kept.add(view);
          again.close();
          assertThatCode(() -> assertThat(view.sum()).isEqualTo(100)).doesNotThrowAnyException();
        });
    assertThat(kept).hasSize(2);
    assertEnded(kept);
  }

  private static void awaitCalmly(CountDownLatch latch) {
    try {
      Limit.await(latch);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theBuffersOfATextShowItsCharacters() {
    try (Heap heap = Heap.inMemory()) {
      DurableText text = heap.root("text", DurableText.of()).append("a long text \u20ac");

      text.editBuffer(2, 6, buffer -> buffer.asCharBuffer().put("LONG"));

      assertThat(text).hasToString("a LONG text \u20ac");
      assertThat(text.<String>readBuffer(7, 13, buffer -> buffer.asCharBuffer().toString()))
          .isEqualTo("text \u20ac");
      assertThat(text.<Character>read(12, 13, view -> view.get(ValueLayout.JAVA_CHAR, 0)))
          .isEqualTo('\u20ac');
    }
  }

  @Test
  void moreCharactersThanABufferHoldsAreRefused() {
    try (Heap heap = Heap.inMemory()) {
      DurableText text = heap.root("text", DurableText.of());
      long many = Integer.MAX_VALUE / 2 + 1L;
      assertThatThrownBy(() -> text.readBuffer(0, many, buffer -> 0))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> text.editBuffer(0, many, buffer -> {}))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
