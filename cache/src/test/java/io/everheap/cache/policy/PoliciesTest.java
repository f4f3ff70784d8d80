package io.everheap.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which entry makes room: pinned ones never, and the others in the order of each policy. */
class PoliciesTest {
  private final FakeEntries entries = new FakeEntries();

  /** The policies. */
  enum Kind {
    LRU,
    S3_FIFO,
    TINY_LFU;

    Policy make(Policy.Entries entries, long granules) {
      return switch (this) {
        case LRU -> new Lru(entries);
        case S3_FIFO -> new S3Fifo(entries, granules);
        case TINY_LFU -> new TinyLfu(entries, granules);
      };
    }
  }

  /** Evicts entries until none is left that can be; returns them in their order. */
  private static List<Integer> drain(Policy policy) {
    List<Integer> victims = new ArrayList<>();
    for (int slot = policy.victim(); slot >= 0; slot = policy.victim()) {
      victims.add(slot);
      policy.removed(slot, true);
    }
    return victims;
  }

  private static void add(Policy policy, int from, int to) {
    IntStream.rangeClosed(from, to).forEach(policy::added);
  }

  private static Integer[] range(int from, int to) {
    return IntStream.rangeClosed(from, to).boxed().toArray(Integer[]::new);
  }

  // ---- All policies --------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aVictimIsAnEntryThatNoPinHoldsIfThereIsOne(Kind kind) {
    Random random = new Random(Seeds.seed() + kind.name().hashCode());
    Policy policy = kind.make(entries, 100);
    Set<Integer> listed = new HashSet<>();
    int next = 0;
    for (int step = 0; step < 4000; step++) {
      int slot = random.nextInt(40);
      switch (random.nextInt(10)) {
        case 0, 1, 2 -> {
          if (listed.add(slot)) {
            entries.hashes.put(slot, (long) random.nextInt(60));
            entries.weights.put(slot, 1 + random.nextInt(8));
            entries.frequency(slot, 0);
            if (random.nextInt(20) == 0) {
              policy.restored(slot);
            } else {
              policy.added(slot);
            }
          }
        }
        case 3, 4 -> policy.accessed(slot); // perhaps of an entry that ended
        case 5 -> entries.pins.add(slot);
        case 6, 7 -> entries.pins.remove(slot);
        case 8 -> {
          if (listed.remove(slot)) {
            policy.removed(slot, false);
          } else {
            policy.removed(slot, random.nextBoolean());
          }
        }
        default -> {
          int victim = policy.victim();
          if (entries.pins.containsAll(listed)) {
            assertThat(victim).isEqualTo(-1);
          } else {
            assertThat(listed).contains(victim);
            assertThat(entries.pins).doesNotContain(victim);
            if (random.nextInt(4) > 0) { // else it stays listed
              policy.removed(victim, true);
              listed.remove(victim);
              next++;
            }
          }
        }
      }
    }
    assertThat(next).isGreaterThan(100);
    entries.pins.clear();
    assertThat(drain(policy)).doesNotHaveDuplicates().hasSameElementsAs(listed);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void whileAllArePinnedThereIsNoVictimAndThenAllAre(Kind kind) {
    Policy policy = kind.make(entries, 100);
    assertThat(policy.victim()).isEqualTo(-1);
    policy.restored(0);
    policy.restored(1);
    add(policy, 2, 40);
    entries.pins.addAll(List.of(range(0, 40)));
    assertThat(policy.victim()).isEqualTo(-1);
    entries.pins.remove(17);
    assertThat(policy.victim()).isEqualTo(17);
    policy.removed(17, true);
    assertThat(policy.victim()).isEqualTo(-1);
    policy.removed(3, false); // ended while it was pinned
    entries.pins.clear();
    assertThat(drain(policy))
        .doesNotHaveDuplicates()
        .hasSize(39)
        .doesNotContain(3, 17)
        .contains(0, 1, 40);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void entriesOfEarlierOpeningsMakeRoomFromTheOldestOn(Kind kind) {
    Policy policy = kind.make(entries, 100);
    List<Integer> slots = new ArrayList<>(List.of(range(0, 19)));
    Collections.shuffle(slots, new Random(Seeds.seed()));
    slots.forEach(policy::restored);
    // In two parts, the newer ones first; one entry ended meanwhile.
    policy.removed(15, false);
    policy.restored(IntStream.rangeClosed(10, 19).toArray());
    policy.restored(IntStream.rangeClosed(0, 9).toArray());
    List<Integer> expected = new ArrayList<>(List.of(range(0, 19)));
    expected.removeIf(slot -> slot == 15);
    assertThat(drain(policy)).isEqualTo(expected);
  }

  // ---- LRU -----------------------------------------------------------------------------------

  @Test
  void theLeastRecentlyUsedEntryMakesRoomAndAPinCountsAsAUse() {
    Random random = new Random(Seeds.seed());
    Policy policy = new Lru(entries);
    LinkedHashSet<Integer> model = new LinkedHashSet<>();
    for (int step = 0; step < 3000; step++) {
      int slot = random.nextInt(20);
      switch (random.nextInt(7)) {
        case 0, 1 -> {
          if (model.add(slot)) {
            policy.added(slot);
          }
        }
        case 2, 3 -> {
          policy.accessed(slot);
          if (model.remove(slot)) {
            model.add(slot);
          }
        }
        case 4 -> {
          if (!entries.pins.add(slot)) {
            entries.pins.remove(slot);
          }
        }
        case 5 -> {
          int expected = leastRecent(model);
          assertThat(policy.victim()).isEqualTo(expected);
          if (expected >= 0) {
            policy.removed(expected, true);
            model.remove(expected);
          }
        }
        default -> {
          assertThat(policy.victim()).isEqualTo(leastRecent(model));
          policy.removed(slot, false);
          model.remove(slot);
        }
      }
    }
  }

  private int leastRecent(SequencedSet<Integer> model) {
    for (int patience = model.size(); patience > 0; patience--) {
      int oldest = model.getFirst();
      if (!entries.pins.contains(oldest)) {
        return oldest;
      }
      model.addLast(oldest);
    }
    return -1;
  }

  // ---- S3-FIFO -------------------------------------------------------------------------------

  @Test
  void theSmallQueueMakesRoomOnlyAboveATenth() {
    Policy policy = new S3Fifo(entries, 100);
    policy.restored(0); // to the main queue
    add(policy, 1, 10);
    assertThat(policy.victim()).as("at a tenth").isZero();
    policy.added(11);
    assertThat(policy.victim()).as("above a tenth").isEqualTo(1);
    policy.removed(11, false);
    assertThat(policy.victim()).isZero();
    policy.removed(0, false);
    assertThat(policy.victim()).as("without a main queue").isEqualTo(1);
  }

  @Test
  void theSmallQueueIsMeasuredByWeight() {
    Policy policy = new S3Fifo(entries, 100);
    policy.restored(0);
    entries.weights.put(1, 5);
    entries.weights.put(2, 5);
    add(policy, 1, 2);
    assertThat(policy.victim()).isZero();
    policy.added(3);
    assertThat(policy.victim()).isEqualTo(1);
    policy.removed(1, true);
    assertThat(policy.victim()).isZero();
  }

  @Test
  void anEntryThatWasHitTwiceLeavesTheSmallQueueForTheMainOne() {
    Policy policy = new S3Fifo(entries, 100);
    policy.restored(0);
    add(policy, 1, 12);
    policy.accessed(1);
    policy.accessed(1);
    policy.accessed(2);
    assertThat(policy.victim()).as("hit once").isEqualTo(2);
    assertThat(entries.frequency(1)).as("it has to prove itself again").isZero();
    policy.removed(2, true);
    assertThat(drain(policy)).startsWith(0, 1).endsWith(range(3, 12));
  }

  @Test
  void anEntryOfTheMainQueueGoesRoundOnceForEachHit() {
    Policy policy = new S3Fifo(entries, 100);
    IntStream.rangeClosed(0, 3).forEach(policy::restored);
    entries.frequency(0, 2);
    entries.frequency(1, 1);
    assertThat(policy.victim()).isEqualTo(2);
    assertThat(entries.frequency(0)).isEqualTo(1);
    assertThat(entries.frequency(1)).isZero();
    policy.removed(2, true);
    assertThat(drain(policy)).containsExactly(3, 1, 0);
  }

  @Test
  void aPinnedEntryAtTheEndOfTheSmallQueueGoesToTheMainOne() {
    Policy policy = new S3Fifo(entries, 100);
    add(policy, 1, 13);
    entries.pins.addAll(Set.of(1, 3));
    entries.hit(1);
    assertThat(policy.victim()).isEqualTo(2);
    assertThat(entries.frequency(1)).isZero();
    policy.removed(2, true);
    assertThat(policy.victim()).isEqualTo(4);
    policy.removed(4, true); // nine in the small queue, 1 and 3 in the main one
    entries.pins.clear();
    List<Integer> victims = drain(policy);
    assertThat(victims.subList(0, 2)).containsExactlyInAnyOrder(1, 3);
    assertThat(victims.get(2)).isEqualTo(5);
  }

  @Test
  void aPinnedEntryOfTheMainQueueGoesRoundAndLosesAHit() {
    Policy policy = new S3Fifo(entries, 100);
    IntStream.rangeClosed(0, 2).forEach(policy::restored);
    entries.frequency(0, 3);
    entries.pins.add(0);
    assertThat(policy.victim()).isEqualTo(1);
    assertThat(entries.frequency(0)).isEqualTo(2);
    policy.removed(1, true);
    assertThat(policy.victim()).isEqualTo(2);
    policy.removed(2, true);
    assertThat(policy.victim()).isEqualTo(-1);
    entries.pins.clear();
    assertThat(policy.victim()).isZero();
  }

  @Test
  void theSmallQueueMakesRoomBelowATenthIfTheMainOneIsPinned() {
    Policy policy = new S3Fifo(entries, 100);
    policy.restored(0);
    add(policy, 1, 3);
    entries.pins.addAll(Set.of(0, 1));
    assertThat(policy.victim()).isEqualTo(2);
    policy.removed(2, true);
    assertThat(policy.victim()).isEqualTo(3);
    policy.removed(3, true);
    assertThat(policy.victim()).isEqualTo(-1);
  }

  @Test
  void anEntryThatComesBackSoonEntersTheMainQueue() {
    assertThat(victimAfterReturn(true)).as("evicted").isEqualTo(3);
    assertThat(victimAfterReturn(false)).as("removed").isEqualTo(2);
  }

  private int victimAfterReturn(boolean evicted) {
    Policy policy = new S3Fifo(entries, 100);
    entries.hashes.put(1, 77L);
    entries.hashes.put(2, 77L);
    add(policy, 20, 21); // an eviction counts as recent among at least two
    policy.added(1);
    policy.removed(1, evicted);
    policy.added(2);
    policy.removed(20, false);
    policy.removed(21, false);
    add(policy, 3, 13);
    return policy.victim();
  }

  @Test
  void anEntryThatLeavesTheMainQueueIsForgotten() {
    Policy policy = new S3Fifo(entries, 100);
    entries.hashes.put(1, 77L);
    entries.hashes.put(2, 77L);
    policy.restored(1);
    add(policy, 20, 21);
    policy.removed(1, true);
    policy.added(2);
    add(policy, 3, 13);
    policy.removed(20, false);
    policy.removed(21, false);
    assertThat(policy.victim()).as("it went to the small queue").isEqualTo(2);
  }

  @Test
  void theNewestOfEarlierOpeningsFillTheSmallQueue() {
    Policy policy = new S3Fifo(entries, 100);
    policy.added(30);
    entries.weights.put(19, 2);
    IntStream.rangeClosed(0, 19).forEach(policy::restored);
    policy.restored(IntStream.rangeClosed(0, 19).toArray());
    // One that was hit once goes round in the main queue, and not in the small one.
    entries.frequency(11, 1);
    entries.frequency(12, 1);
    List<Integer> victims = drain(policy);
    assertThat(victims).startsWith(range(0, 10));
    assertThat(victims.subList(11, 20)).isEqualTo(List.of(11, 12, 13, 14, 15, 16, 17, 18, 19));
    assertThat(victims).endsWith(30);
  }

  // ---- TinyLFU -------------------------------------------------------------------------------

  /** A hundredth of the cache is the window; before the cache is full the rest goes on. */
  private Policy tiny() {
    Policy policy = new TinyLfu(entries, 1000);
    add(policy, 0, 14); // 0 to 4 on probation, 5 to 14 in the window
    return policy;
  }

  @Test
  void theWindowMakesNoRoomUpToAHundredth() {
    Policy policy = tiny();
    assertThat(policy.victim()).isZero();
    policy.removed(0, true);
    assertThat(policy.victim()).isEqualTo(1);
  }

  @Test
  void aNewEntryThatIsSeenNoMoreOftenLeaves() {
    Policy policy = tiny();
    assertThat(policy.victim()).isZero(); // it is full from here on
    policy.added(15);
    assertThat(policy.victim()).isEqualTo(5);
    policy.removed(5, true);
    assertThat(policy.victim()).as("the window is at its size").isZero();
  }

  @Test
  void aNewEntryThatIsSeenMoreOftenTakesThePlaceOfTheOldest() {
    Policy policy = new TinyLfu(entries, 1000);
    entries.hashes.put(5, 77L);
    entries.hashes.put(100, 77L);
    policy.added(100);
    policy.removed(100, false);
    add(policy, 0, 14);
    assertThat(policy.victim()).isZero();
    policy.added(15);
    assertThat(policy.victim()).isZero();
    policy.removed(0, true);
    assertThat(policy.victim()).isEqualTo(1);
    add(policy, 16, 16);
    assertThat(policy.victim()).as("the next one of the window").isEqualTo(6);
  }

  @Test
  void pinsPassOverEntriesOfTheWindowAndOfTheRest() {
    Policy policy = tiny();
    assertThat(policy.victim()).isZero();
    policy.added(15);
    entries.pins.add(5);
    assertThat(policy.victim()).isEqualTo(6);
    entries.pins.addAll(List.of(range(5, 15))); // the whole window
    assertThat(policy.victim()).isZero();
    entries.pins.addAll(List.of(0, 1));
    assertThat(policy.victim()).isEqualTo(2);
    entries.pins.addAll(List.of(2, 3, 4));
    assertThat(policy.victim()).isEqualTo(-1);
    entries.pins.remove(9);
    assertThat(policy.victim()).as("the rest is pinned").isEqualTo(9);
  }

  @Test
  void anEntryThatIsUsedOnProbationIsProtected() {
    Policy policy = tiny();
    policy.accessed(0);
    policy.accessed(2);
    assertThat(policy.victim()).isEqualTo(1);
    policy.removed(1, true);
    assertThat(policy.victim()).isEqualTo(3);
    policy.removed(3, true);
    policy.removed(4, false);
    assertThat(policy.victim()).as("the oldest that is protected").isZero();
    policy.accessed(0);
    assertThat(policy.victim()).isEqualTo(2);
    policy.accessed(5); // stays in the window
    assertThat(policy.victim()).isEqualTo(2);
  }

  /** The rest has 990 granules, of which 792 can be protected. */
  @Test
  void fourFifthsOfTheRestAreProtected() {
    assertThat(thirdVictim(391)).as("792: all stay protected").isEqualTo(5);
    assertThat(thirdVictim(392)).as("793: the oldest is on probation again").isZero();
  }

  private int thirdVictim(int weight) {
    Policy policy = new TinyLfu(entries, 1000);
    entries.weights.put(0, weight);
    entries.weights.put(2, 400);
    add(policy, 0, 14);
    policy.accessed(0);
    policy.accessed(3);
    policy.accessed(2);
    policy.added(15); // 5 leaves the window for the rest, as the newest on probation
    for (int expected : new int[] {1, 4}) {
      assertThat(policy.victim()).isEqualTo(expected);
      policy.removed(expected, true);
    }
    return policy.victim();
  }

  @Test
  void whatIsNoLongerProtectedLeavesBeforeWhatIs() {
    Policy policy = new TinyLfu(entries, 1000);
    entries.weights.put(0, 393);
    entries.weights.put(2, 400);
    entries.weights.put(3, 1);
    add(policy, 0, 14);
    policy.accessed(0);
    policy.accessed(3);
    policy.accessed(2); // too much: 0 goes back on probation, and is the newest there
    assertThat(policy.victim()).isEqualTo(1);
    policy.removed(1, true);
    assertThat(policy.victim()).isEqualTo(4);
    policy.removed(4, true);
    assertThat(policy.victim()).isZero();
    policy.removed(0, true);
    assertThat(policy.victim()).isEqualTo(3);
  }
}
