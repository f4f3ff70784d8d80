package io.everheap.gc;

import static io.everheap.gc.CollectHeaps.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.everheap.Heap;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.durable.type.ObjectImage;
import io.everheap.engine.alloc.AllocationVisitor;
import io.everheap.engine.alloc.AllocationWalker;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.error.GoneException;
import io.everheap.error.ReadOnlyException;
import io.everheap.gc.CollectHeaps.Node;
import io.everheap.gc.CollectHeaps.Pair;
import io.everheap.heap.OpenHeap;
import io.everheap.report.CollectProgress;
import io.everheap.report.CollectReport;
import io.everheap.report.CollectReport.Outcome;
import io.everheap.structure.Structures;
import io.everheap.structure.common.HeapStructureId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a collection frees and what it keeps. */
class CollectTest {
  private final Heap heap = CollectHeaps.open();
  private final Node root = heap.object("root", Node.class);

  @AfterEach
  void isSound() {
    if (heap.isOpen()) {
      assertThat(heap.verify().problems()).isEmpty();
      assertThat(heap.verify().notChecked()).isEmpty();
      assertThat(heap.verify().dangling()).isEmpty();
      heap.close();
    }
  }

  private CollectReport collect() {
    CollectReport report = heap.collect();
    assertThat(report.outcome()).isEqualTo(Outcome.COMPLETE);
    assertThat(report.leftAlone()).isEmpty();
    OpenHeap.engine(heap).drainHousekeeping();
    return report;
  }

  @Test
  void anObjectThatNothingLeadsToIsFreedWithItsValues() {
    node(heap, 1);
    CollectReport report = collect();
    assertThat(report.objects()).isEqualTo(1);
    assertThat(report.bytes()).isGreaterThan(30);
    assertThat(report.liveObjects()).isEqualTo(1);
    assertThat(heap.verify().unreachable()).isZero();
    assertThat(collect().objects()).isZero();
  }

  @Test
  void whatFieldsLeadToStays() {
    Node left = node(heap, 1);
    root.left(left);
    left.right(node(heap, 2));
    left.many(List.of(node(heap, 3), node(heap, 4)));
    left.pair(new Pair("both", node(heap, 5), node(heap, 6)));
    heap.transact(
        () -> {
          left.list(heap.create(DurableList.of(Node.class)));
          left.map(heap.create(DurableMap.of(String.class, Node.class)));
          Objects.requireNonNull(left.list()).add(node(heap, 7));
          Objects.requireNonNull(left.map()).put("eight", node(heap, 8));
        });
    CollectReport report = collect();
    assertThat(report.objects()).isZero();
    assertThat(report.structures()).isZero();
    assertThat(report.liveObjects()).isEqualTo(9);
    assertThat(report.liveStructures()).isEqualTo(2);
    assertThat(Objects.requireNonNull(left.map()).get("eight")).returns(8, Node::id);
    left.pair(null);
    left.many(null);
    left.map(null);
    report = collect();
    assertThat(report.objects()).isEqualTo(5);
    assertThat(report.structures()).isEqualTo(1);
  }

  @Test
  void whatEveryKindOfCollectionHoldsStays() {
    DurableMap<Node, String> keys = heap.map("keys", Node.class, String.class);
    DurableMap<String, Node> values = heap.map("values", String.class, Node.class);
    DurableMap<String, Pair> records = heap.map("records", String.class, Pair.class);
    DurableSet<Node> set = heap.set("set", Node.class);
    DurableSortedMap<String, Node> sorted = heap.sortedMap("sorted", String.class, Node.class);
    DurableList<Node> list = heap.list("list", Node.class);
    DurableDeque<Pair> deque = heap.deque("deque", Pair.class);
    DurableReference<Node> reference = heap.root("reference", DurableReference.of(Node.class));
    DurableArray<Node> array = heap.root("array", DurableArray.of(Node.class, 100));
    DurableMap<String, DurableList<Node>> nested =
        heap.root("nested", DurableMap.of(String.class, DurableList.of(Node.class)));
    keys.put(node(heap, 1), "one");
    values.put("two", node(heap, 2));
    records.put("three", new Pair("x".repeat(20_000), node(heap, 3), null));
    set.add(node(heap, 4));
    sorted.put("five", node(heap, 5));
    list.add(node(heap, 6));
    deque.add(new Pair("seven", null, node(heap, 7)));
    reference.set(node(heap, 8));
    array.set(70, node(heap, 9));
    heap.transact(
        () -> {
          DurableList<Node> inner = heap.create(DurableList.of(Node.class));
          inner.add(node(heap, 10));
          nested.put("inner", inner);
        });
    CollectReport report = collect();
    assertThat(report.liveObjects()).isEqualTo(11);
    assertThat(report.objects()).isZero();
    keys.clear();
    values.clear();
    records.clear();
    set.clear();
    sorted.clear();
    list.clear();
    deque.clear();
    reference.set(null);
    array.set(70, null);
    nested.clear();
    report = collect();
    assertThat(report.objects()).isEqualTo(10);
    assertThat(report.structures()).isEqualTo(1);
    assertThat(heap.verify().unreachable()).isZero();
  }

  @Test
  void cyclesAreFreed() {
    heap.transact(
        () -> {
          Node first = node(heap, 1);
          Node second = node(heap, 2);
          first.left(second);
          second.left(first);
          second.right(second);
        });
    assertThat(collect().objects()).isEqualTo(2);
  }

  @Test
  void aLongChainNeedsNoStack() {
    DurableList<Node> heads = heap.list("heads", Node.class);
    heap.transact(
        () -> {
          Node last = node(heap, 0);
          for (int i = 1; i < 30_000; i++) {
            Node next = node(heap, i);
            next.left(last);
            last = next;
          }
          heads.add(last);
        });
    assertThat(collect().liveObjects()).isEqualTo(30_001);
    heads.clear();
    assertThat(collect().objects()).isEqualTo(30_000);
  }

  @Test
  void moreThanTheArrayOfWaitingReferencesHolds() {
    List<Node> made = new ArrayList<>();
    heap.transact(
        () -> {
          for (int i = 0; i < 500; i++) {
            made.add(node(heap, i));
            made.get(i).left(node(heap, -i));
          }
          root.many(made);
        });
    CollectReport report = CollectHeaps.slow(heap).collect(CollectProgress.NONE);
    assertThat(report.liveObjects()).isEqualTo(1001);
    assertThat(report.objects()).isZero();
    assertThat(made).allMatch(node -> Objects.requireNonNull(node.left()).id() == -node.id());
  }

  @Test
  void aHandleToWhatWasFreedThrows() {
    Node gone = node(heap, 1);
    collect();
    assertThatExceptionOfType(GoneException.class).isThrownBy(gone::id);
    assertThatExceptionOfType(GoneException.class).isThrownBy(() -> root.left(gone));
  }

  @Test
  void aReferenceToWhatTheProgramFreedIsNoDamage() {
    Node gone = node(heap, 1);
    root.left(gone);
    heap.free(gone);
    assertThat(collect().objects()).isZero();
    root.left(null);
  }

  @Test
  void rawBlocksAreLeftAlone() {
    heap.block("named", 100);
    long before = heap.stats().blocks();
    heap.transact(() -> heap.blocks().allocate(64));
    CollectReport report = collect();
    assertThat(report.objects() + report.structures()).isZero();
    assertThat(heap.stats().blocks()).isEqualTo(before + 1);
  }

  @Test
  void whatARolledBackTransactionMadeIsNoConcern() {
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.transact(
                    () -> {
                      node(heap, 1);
                      throw new IllegalStateException("undone");
                    }));
    assertThat(collect().objects()).isZero();
  }

  @Test
  void itIsRefusedInsideATransactionOrARead() {
    assertThatIllegalStateException().isThrownBy(() -> heap.transact(() -> heap.collect()));
    assertThatIllegalStateException().isThrownBy(() -> heap.read(heap::collect));
    assertThatIllegalStateException()
        .isThrownBy(() -> heap.collect((phase, done) -> heap.collect()));
  }

  @Test
  void aClosedHeapRefuses() {
    heap.close();
    assertThatExceptionOfType(ClosedException.class).isThrownBy(heap::collect);
  }

  @Test
  void aHeapThatIsClosedMeanwhileEndsIt() {
    assertThatExceptionOfType(ClosedException.class)
        .isThrownBy(() -> heap.collect((phase, done) -> heap.close()));
  }

  @Test
  void aHeapForReadingRefuses(@TempDir Path directory) {
    CollectHeaps.settings(Heap.builder(directory)).open().close();
    try (Heap reader = CollectHeaps.settings(Heap.builder(directory)).readOnly().open()) {
      assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(reader::collect);
    }
  }

  @Test
  void anInterruptEndsItAndIsKept() {
    node(heap, 1);
    Thread.currentThread().interrupt();
    assertThat(heap.collect().outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(collect().objects()).isEqualTo(1);
  }

  @Test
  void anInterruptedOneLeavesNothingThatIsHalfFreed() {
    List<Node> made = new ArrayList<>();
    heap.transact(
        () -> {
          for (int i = 0; i < 10; i++) {
            made.add(node(heap, i));
          }
          for (Node node : made) {
            node.many(made);
          }
        });
    CollectReport report =
        CollectHeaps.slow(heap)
            .collect(
                (phase, done) -> {
                  if (phase == CollectProgress.Phase.FREEING && done > 3) {
                    Thread.currentThread().interrupt();
                  }
                });
    assertThat(report.outcome()).isEqualTo(Outcome.INTERRUPTED);
    assertThat(report.objects()).isBetween(4L, 9L);
    assertThat(Thread.interrupted()).isTrue();
    for (Node node : made) {
      assertThatExceptionOfType(GoneException.class).isThrownBy(() -> root.left(node));
    }
    assertThat(collect().objects()).isEqualTo(10 - report.objects());
  }

  @Test
  void whatItsProgressThrowsPasses() {
    node(heap, 1);
    assertThatIllegalStateException()
        .isThrownBy(
            () ->
                heap.collect(
                    (phase, done) -> {
                      throw new IllegalStateException("enough");
                    }))
        .withMessage("enough");
    assertThat(collect().objects()).isEqualTo(1);
  }

  @Test
  void damageKeepsEverything() {
    node(heap, 1);
    DurableMap<String, Node> map = heap.map("map", String.class, Node.class);
    map.put("a", root);
    long reference = HeapStructureId.of(map).reference();
    long count = 16 + io.everheap.engine.alloc.Reference.address(reference);
    var memory = OpenHeap.engine(heap).memory();
    long[] words = new long[4];
    for (int i = 0; i < words.length; i++) {
      words[i] = memory.getLong(count - 8 + 8L * i);
    }
    heap.transact(
        () -> {
          for (int i = 0; i < words.length; i++) {
            memory.putLong(-1, count - 8 + 8L * i, words[i] ^ 0x5555);
          }
        });
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(heap::collect)
        .withMessageContaining("freed nothing")
        .withMessageContaining("root map");
    heap.transact(
        () -> {
          for (int i = 0; i < words.length; i++) {
            memory.putLong(-1, count - 8 + 8L * i, words[i]);
          }
        });
    assertThat(collect().objects()).isEqualTo(1);
  }

  @Test
  void aChunkThatCannotBeReadIsTold() {
    long lost = Reference.address(lost(200));
    long chunk = lost & -HomeLayout.CHUNK_SIZE;
    var memory = OpenHeap.engine(heap).memory();
    long header = memory.getLong(chunk);
    heap.transact(() -> memory.putLong(-1, chunk, header ^ 0x5555));
    CollectReport report = heap.collect();
    assertThat(report.leftAlone()).hasSize(1);
    assertThat(report.leftAlone().getFirst())
        .startsWith("0x" + Long.toHexString(chunk) + ": ")
        .contains("chunk's header");
    heap.transact(() -> memory.putLong(-1, chunk, header));
    assertThat(collect().objects()).isPositive();
  }

  /** Makes garbage and returns the reference of some of it. */
  private long lost(int count) {
    heap.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            node(heap, i);
          }
        });
    long[] last = new long[1];
    walk(
        (reference, type) -> {
          if (ObjectImage.isObject(type)) {
            last[0] = reference;
          }
        });
    return last[0];
  }

  private void walk(Blocks each) {
    AllocationVisitor visitor =
        new AllocationVisitor() {
          @Override
          public void block(long reference, int type, long size) {
            each.accept(reference, type);
          }

          @Override
          public void problem(long address, String message) {
            throw new AssertionError(message);
          }
        };
    new AllocationWalker(OpenHeap.engine(heap).memory(), OpenHeap.engine(heap).home().extentShift())
        .walk(visitor);
  }

  private interface Blocks {
    void accept(long reference, int type);
  }

  @Test
  void anImageThatEndsEarlyIsTold() {
    var allocator = OpenHeap.engine(heap).allocator();
    long capacity = OpenHeap.engine(heap).memory().getLong(HomeLayout.CAPACITY_ADDRESS);
    Liveness doomed = new Liveness(capacity, null, null);
    walk((reference, type) -> doomed.allocated(reference, 0));
    Sweeper sweeper =
        new Sweeper(
            Structures.of(OpenHeap.engine(heap).context()),
            doomed,
            Effort.DEFAULT,
            new Sweeper.Pauses(),
            freed -> {});
    sweeper.run(1L << 33);
    assertThat(sweeper.leftAlone())
        .isNotEmpty()
        .allSatisfy(told -> assertThat(told).contains("which it does not have"));
    assertThat(allocator.stats().blocks()).isPositive();
    assertThat(sweeper.objects() + sweeper.structures()).isZero();
  }

  @Test
  void itCannotBeShrunkMeanwhile() {
    node(heap, 1);
    assertThatIllegalStateException()
        .isThrownBy(() -> heap.collect((phase, done) -> heap.shrink()))
        .withMessageContaining("shrink");
    assertThat(collect().objects()).isEqualTo(1);
    assertThat(heap.shrink()).isNotNegative();
  }

  @Test
  void tooManyChangesKeepEverything() {
    DurableMap<Integer, Integer> map = heap.map("map", Integer.class, Integer.class);
    for (int i = 0; i < 3000; i++) {
      map.put(i, i);
    }
    node(heap, 1);
    Collector poor =
        new Collector(
            Structures.of(OpenHeap.engine(heap).context()), 1 << 12, 1, new Effort(1, 1 << 10, 2));
    CollectReport report = poor.collect((phase, done) -> map.replaceAll((key, value) -> value + 1));
    assertThat(report.outcome()).isEqualTo(Outcome.TOO_MANY_CHANGES);
    assertThat(report.objects()).isZero();
    assertThat(collect().objects()).isEqualTo(1);
  }
}
