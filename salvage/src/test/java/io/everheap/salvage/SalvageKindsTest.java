package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableBytes;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableIntArray;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableText;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.support.tier.Campaign;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of structures of every kind. */
@Campaign
class SalvageKindsTest {
  private static final String TEXT = "durable text, ".repeat(20_000);

  private static final List<String> NAMES =
      IntStream.range(0, 3000).mapToObj(i -> "name " + i * 7919 % 3000).toList();

  @TempDir Path temp;
  private Path heap;
  private Path saved;

  @BeforeEach
  void aHeapWithAllKinds() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
    try (Heap open = TestHeaps.open(heap)) {
      open.transact(() -> fill(open));
    }
  }

  private static void fill(Heap open) {
    DurableIntArray ints = open.root("ints", DurableIntArray.ofLength(50_000));
    ints.set(3, -7);
    ints.set(49_999, 8);
    DurableArray<String> names = open.root("names", DurableArray.of(String.class, 1000));
    names.set(5, "five");
    names.set(900, "x".repeat(300_000));
    open.root("constants", DurableArray.ofImmutable(String.class, List.of("one", "two")));
    open.root("text", DurableText.of()).append(TEXT);
    open.root("bytes", DurableBytes.of()).append(new byte[] {1, 2, 3});
    open.root("number", DurableAtomicLong.of()).set(42);
    open.root("value", DurableReference.of(String.class)).set("held");
    open.root("empty", DurableReference.of(Long.class));
    DurableMap<String, DurableText> texts =
        open.root("texts", DurableMap.of(String.class, DurableText.of()));
    texts.put("a", open.create(DurableText.of()));
    texts.get("a").append("nested");
    open.root("current", DurableReference.of(DurableSet.of(Long.class)))
        .set(open.root("set", DurableSet.of(Long.class)));
    open.set("set", Long.class).add(9L);
    var lists = open.root("lists", DurableList.of(DurableList.of(String.class)));
    lists.add(open.create(DurableList.of(String.class)));
    lists.getFirst().addAll(NAMES);
    open.root("deque", DurableDeque.of(Long.class)).addAll(List.of(3L, 1L, 2L));
    open.root("queue", DurablePriorityQueue.of(String.class)).addAll(NAMES);
    open.root("numbers", DurablePriorityQueue.of(Long.class)).addAll(List.of(3L, 1L, 2L, 1L));
    DurableWorkQueue<String> work = open.root("work", DurableWorkQueue.of(String.class));
    work.addAll(NAMES);
    work.tryLease(Duration.ofHours(1)).acknowledge();
    assertThat(work.tryLease(Duration.ofHours(1)).element()).isEqualTo(NAMES.get(1));
  }

  private SalvageReport salvage() {
    return Salvaging.run(heap, saved);
  }

  @Test
  void ofASoundHeapEverythingIsSaved() {
    SalvageReport report = salvage();

    assertThat(report.complete()).as("%s", report).isTrue();
    try (Heap open = TestHeaps.open(saved)) {
      DurableIntArray ints = open.root("ints", DurableIntArray.ofLength(50_000));
      assertThat(ints.get(3)).isEqualTo(-7);
      assertThat(ints.get(4)).isZero();
      assertThat(ints.get(49_999)).isEqualTo(8);
      DurableArray<String> names = open.root("names", DurableArray.of(String.class, 1000));
      assertThat(names.get(5)).isEqualTo("five");
      assertThat(names.get(6)).isNull();
      assertThat(names.get(900)).hasSize(300_000);
      var constants = open.root("constants", DurableArray.ofAnyLength(String.class));
      assertThat(constants.asList()).containsExactly("one", "two");
      assertThat(constants.isImmutable()).isTrue();
      assertThat(open.root("text", DurableText.of()).toString()).isEqualTo(TEXT);
      assertThat(open.root("bytes", DurableBytes.of()).toArray()).containsExactly(1, 2, 3);
      assertThat(open.root("number", DurableAtomicLong.of()).get()).isEqualTo(42);
      assertThat(open.root("value", DurableReference.of(String.class)).get()).isEqualTo("held");
      assertThat(open.root("empty", DurableReference.of(Long.class)).get()).isNull();
      var texts = open.root("texts", DurableMap.of(String.class, DurableText.of()));
      assertThat(texts.get("a").toString()).isEqualTo("nested");
      var current = open.root("current", DurableReference.of(DurableSet.of(Long.class)));
      assertThat(current.get().sameAs(open.set("set", Long.class))).isTrue();
      assertThat(current.get()).containsExactly(9L);
      var lists = open.root("lists", DurableList.of(DurableList.of(String.class)));
      assertThat(lists.getFirst()).isEqualTo(NAMES);
      assertThat(open.root("deque", DurableDeque.of(Long.class))).containsExactly(3L, 1L, 2L);
      var queue = open.root("queue", DurablePriorityQueue.of(String.class));
      assertThat(Stream.generate(queue::poll).limit(3000))
          .isEqualTo(NAMES.stream().sorted().toList());
      var numbers = open.root("numbers", DurablePriorityQueue.of(Long.class));
      assertThat(Stream.generate(numbers::poll).limit(4)).containsExactly(1L, 1L, 2L, 3L);
      var work = open.root("work", DurableWorkQueue.of(String.class));
      assertThat(work.stream().toList()).isEqualTo(NAMES.subList(1, NAMES.size()));
      assertThat(work.leased()).isZero();
    }
  }

  @Test
  void kindsAndTypesAreReported() {
    Map<String, SalvageReport.Root> roots = new java.util.HashMap<>();
    salvage().roots().forEach(root -> roots.put(root.name(), root));

    assertThat(roots.get("ints").kind()).isEqualTo("array");
    assertThat(roots.get("ints").types()).isEqualTo(Map.of("element", "int"));
    assertThat(roots.get("text").types()).isEmpty();
    assertThat(roots.get("texts").types()).containsEntry("value", "ref text");
  }

  @Test
  void aDamagedPageOfATextIsDoubtful() throws Exception {
    byte[] home = Files.readAllBytes(heap.resolve("heap"));
    byte[] middle =
        TEXT.substring(14 * 9_000, 14 * 9_000 + 700).getBytes(StandardCharsets.UTF_16LE);
    int at = indexOf(home, middle);
    TestHeaps.flip(heap.resolve("heap"), at, 1);
    SalvageReport report = salvage();

    SalvageReport.Root text =
        report.roots().stream().filter(r -> r.name().equals("text")).findFirst().orElseThrow();
    assertThat(text.doubtful()).isPositive();
    assertThat(text.lost()).isZero();
    try (Heap open = TestHeaps.open(saved)) {
      assertThat(open.root("text", DurableText.of()).toString()).hasSameSizeAs(TEXT);
    }
  }

  @Test
  void whatIsInZeroedPagesIsLostAndReported() throws Exception {
    long size = Files.size(heap.resolve("heap"));
    for (long page = 64; page < size / 4096; page += 7) {
      TestHeaps.write(heap.resolve("heap"), page * 4096, ByteBuffer.allocate(4096));
    }
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int at = 0; ; at++) {
      if (java.util.Arrays.mismatch(bytes, at, at + part.length, part, 0, part.length) < 0) {
        return at;
      }
    }
  }
}
