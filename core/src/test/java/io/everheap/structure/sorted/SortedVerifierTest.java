package io.everheap.structure.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.KeyOrder;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Stripes;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.NodeLayout;
import io.everheap.structure.common.RawCodecs;
import io.everheap.structure.map.MapHeap;
import io.everheap.support.tier.Campaign;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever is wrong with a sorted map, the verifier says so and ends; readers and writers give
 * right answers or say that the heap is damaged.
 */
@Campaign
class SortedVerifierTest {
  private static final int ENTRIES = 700;

  private final MapHeap heap = MapHeap.inMemory();
  private final DurableSortedMap<String, String> map =
      heap.make(SortedKind.MAP.definition(SortedTypes.natural(Codecs.STRING, Codecs.STRING)));
  private final HeapMemory memory = heap.engine().memory();
  private final long header = Reference.address(HeapStructureId.of(map).reference());

  @BeforeEach
  void fill() {
    for (int i = 0; i < ENTRIES; i++) {
      map.put(key(i), "value " + i);
    }
    heap.check();
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "a common beginning %04d", i * 11 % ENTRIES);
  }

  @AfterEach
  void close() {
    heap.closeUnchecked();
  }

  private void damage(long address, long value) {
    heap.transact(
        () -> {
          memory.putLong(Stripes.NONE, address, value);
          return true;
        });
  }

  private long root() {
    return Reference.address(memory.getLong(header + SortedLayout.ROOT));
  }

  private long place(long node, int position) {
    long word = memory.getLong(node + SortedLayout.ORDER + (position & ~7));
    return word >>> (8 * (position & 7)) & 0xff;
  }

  private long leaf(int position) {
    long place = place(root(), position);
    return Reference.address(memory.getLong(root() + SortedLayout.PAYLOADS + 8 * place));
  }

  @Test
  void aTreeInTheOrderOfAComparatorIsSoundWhileItIsBeingFreed() {
    KeyOrder<String> backwards = KeyOrder.of("backwards", Comparator.<String>reverseOrder());
    DurableSortedMap<String, String> large =
        heap.make(
            SortedKind.MAP.definition(
                SortedTypes.ordered(Codecs.STRING, Codecs.STRING, backwards)));
    heap.transact(
        () -> {
          for (int i = 0; i < 11_000; i++) {
            large.put("key " + i, "v");
          }
          large.clear();
          assertThat(heap.problems()).noneMatch(problem -> problem.startsWith("sorted map"));
          return true;
        });
  }

  private void assertFound(String message) {
    assertThat(heap.problems()).anyMatch(problem -> problem.contains(message));
  }

  @Test
  void theTreeOfTheseTestsHasTwoLevelsAndSkipsBytes() {
    assertThat(SortedLayout.level(memory.getLong(root() + SortedLayout.INFO))).isOne();
    assertThat(SortedLayout.skip(memory.getLong(leaf(3) + SortedLayout.INFO))).isPositive();
  }

  @Test
  void aWrongCount() {
    damage(header + SortedLayout.COUNT, ENTRIES - 1);
    assertFound("the count is " + (ENTRIES - 1));
  }

  @Test
  void aLostRoot() {
    damage(header + SortedLayout.ROOT, 0);
    assertFound("the entries are 0");
  }

  @Test
  void unknownKinds() {
    damage(header + SortedLayout.KINDS, 0xff00);
    assertFound("unknown kinds");
  }

  @Test
  void aNodeOnTheWrongLevel() {
    long at = leaf(1) + SortedLayout.INFO;
    damage(at, memory.getLong(at) | 1 << 8);
    assertFound("level 1");
  }

  @Test
  void aNodeThatSaysWhatItCannotBeIsDamageToReadersAndWriters() {
    int before = SortedLayout.count(memory.getLong(leaf(0) + SortedLayout.INFO));
    String there = List.copyOf(map.keySet()).get(before);
    for (long node : List.of(leaf(1), root())) {
      long at = node + SortedLayout.INFO;
      long sound = memory.getLong(at);
      for (long wrong :
          List.of(
              sound ^ SortedLayout.WORD_VALUES << 16, // of a tree with values that are words
              sound | Long.MIN_VALUE, // skips a negative number of bytes
              (sound & ~0xffL) | SortedLayout.CAPACITY + 1,
              sound + (1 << 8))) { // one level above
        damage(at, wrong);
        for (ThrowingCallable access : accesses(there)) {
          assertThatThrownBy(access).isInstanceOf(CorruptException.class);
        }
        damage(at, sound);
      }
    }
    damage(root() + SortedLayout.INFO, 1 << 8); // an inner node without children
    for (ThrowingCallable access : accesses(there)) {
      assertThatThrownBy(access).isInstanceOf(CorruptException.class);
    }
  }

  private List<ThrowingCallable> accesses(String key) {
    return List.of(
        () -> map.get(key),
        () -> map.containsKey(key),
        () -> map.ceilingKey(key),
        () -> map.headMap(key, true).lastKey(),
        () -> map.forEach((_, _) -> {}),
        () -> map.put(key, "another value"),
        () -> map.put(key + "!", "a value"),
        () -> map.remove(key));
  }

  @Test
  void aChildThatIsItsParent() {
    long at = root() + SortedLayout.PAYLOADS + 8 * place(root(), 2);
    damage(at, memory.getLong(header + SortedLayout.ROOT));
    assertThat(heap.problems()).isNotEmpty();
  }

  @Test
  void aPlaceThatIsNamedTwice() {
    long at = leaf(1) + SortedLayout.ORDER;
    damage(at, (memory.getLong(at) & ~0xffL) | (memory.getLong(at) >>> 8 & 0xff));
    assertFound("does not name each place once");
  }

  @Test
  void keysThatDoNotRise() {
    long at = leaf(1) + SortedLayout.ORDER;
    long order = memory.getLong(at);
    damage(at, (order & ~0xffffL) | (order & 0xff) << 8 | (order >>> 8 & 0xff));
    assertFound("do not rise");
  }

  @Test
  void aHeadThatIsNotThatOfItsKey() {
    long at = leaf(1) + SortedLayout.HEADS + 8 * place(leaf(1), 0);
    damage(at, memory.getLong(at) + 1);
    assertFound("the head of a key");
  }

  @Test
  void aSkipOfMoreThanTheKeysShare() {
    long at = leaf(1) + SortedLayout.INFO;
    damage(at, memory.getLong(at) + (20L << 32));
    assertFound("its keys skip");
  }

  @Test
  void leavesThatChangedPlaces() {
    long one = root() + SortedLayout.PAYLOADS + 8 * place(root(), 1);
    long two = root() + SortedLayout.PAYLOADS + 8 * place(root(), 2);
    long first = memory.getLong(one);
    damage(one, memory.getLong(two));
    damage(two, first);
    assertFound("belongs into another leaf");
  }

  @Test
  void aSeparatorThatIsTooGreat() {
    long place = place(root(), 1);
    long block = NodeLayout.node(memory.getLong(root() + SortedLayout.SEPARATORS + 8 * place));
    damage(block + Separators.BYTES + 8, -1);
    assertThat(heap.problems()).isNotEmpty();
  }

  @Test
  void anEntryThatIsNone() {
    damage(leaf(1) + SortedLayout.PAYLOADS + 8 * place(leaf(1), 0), header >>> 4);
    assertFound("has type");
  }

  /** Any word of any block: the verifier ends, and so does everything else. */
  @Test
  void damageAnywhereEndsInARightAnswerOrAnException() {
    List<Long> blocks = new ArrayList<>();
    blocks.add(header);
    blocks.add(root());
    for (int i = 0; i < 10; i++) {
      blocks.add(leaf(i));
      long payload = memory.getLong(leaf(i) + SortedLayout.PAYLOADS + 8 * place(leaf(i), i));
      blocks.add(NodeLayout.node(payload));
    }
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < 1500; i++) {
      long block = blocks.get(random.nextInt(blocks.size()));
      int words = block == header ? 7 : random.nextInt(3) == 0 ? 104 : 8;
      long at = block + 8 + 8L * random.nextInt(words);
      long before = memory.getLong(at);
      long change = random.nextBoolean() ? 1L << random.nextInt(64) : random.nextLong();
      damage(at, before ^ change);
      heap.problems();
      exercise(random.nextInt(ENTRIES));
      damage(at, before);
    }
    heap.check();
  }

  private void exercise(int i) {
    attempt(() -> map.get(key(i)));
    attempt(() -> map.floorEntry(key(i)));
    attempt(() -> map.descendingMap().higherEntry(key(i)));
    attempt(() -> walk(map));
    attempt(() -> walk(map.descendingMap()));
    walkInTransaction();
    heap.transact(
        () -> {
          attempt(() -> map.put(key(i), "another value"));
          attempt(() -> map.remove(key(i + 1)));
          attempt(() -> map.put("b" + i, "new"));
          return false;
        });
  }

  /** Visits all entries; without a limit, so that an endless walk shows. */
  private static int walk(Map<String, String> all) {
    int[] count = {0};
    all.forEach((key, value) -> count[0]++);
    return count[0];
  }

  private void walkInTransaction() {
    heap.transact(
        () -> {
          attempt(() -> walk(map));
          attempt(() -> walk(map.descendingMap()));
          return false;
        });
  }

  /**
   * In a transaction, each batch of a walk begins with a search for the last key of the one before.
   */
  @Test
  void separatorsOutOfOrderEndAWalk() {
    for (int i = 0; i < 32; i += 8) {
      long at = root() + SortedLayout.ORDER + i;
      damage(at, Long.reverseBytes(memory.getLong(at)));
    }
    walkInTransaction();
  }

  /** Damage may also make a wrong answer, but no other exception, and no endless walk. */
  private static void attempt(Supplier<@Nullable Object> action) {
    Throwable thrown = catchThrowable(() -> Optional.ofNullable(action.get()).isPresent());
    assertThat(thrown == null || thrown instanceof EverheapException).as("%s", thrown).isTrue();
  }

  @Test
  void aListingForToolsNeedsNoComparator() {
    KeyOrder<String> reverse = KeyOrder.of("reverse", Comparator.<String>reverseOrder());
    DurableSortedMap<String, Long> compared =
        heap.make(
            SortedKind.MAP.definition(SortedTypes.ordered(Codecs.STRING, Codecs.LONG, reverse)));
    for (int i = 0; i < 200; i++) {
      compared.put(String.format(Locale.ROOT, "%03d", i), (long) i);
    }
    List<Object> keys =
        SortedListing.entries(
                heap.context(),
                HeapStructureId.of(compared).reference(),
                SortedKind.MAP.headerType(),
                untyped(Codecs.STRING),
                untyped(Codecs.LONG))
            .<Object>map(Map.Entry::getKey)
            .toList();
    assertThat(keys).isEqualTo(new ArrayList<>(compared.keySet())).hasSize(200);
    assertThat(
            SortedListing.entries(
                    heap.context(),
                    HeapStructureId.of(map).reference(),
                    SortedKind.MAP.headerType(),
                    RawCodecs.of("string", false),
                    RawCodecs.of("string", false))
                .count())
        .isEqualTo(ENTRIES);
  }

  @SuppressWarnings("unchecked") // what tools do
  private static io.everheap.codec.Codec<Object> untyped(io.everheap.codec.Codec<?> codec) {
    return (io.everheap.codec.Codec<Object>) codec;
  }
}
