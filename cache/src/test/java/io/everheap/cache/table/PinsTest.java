package io.everheap.cache.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The word of a slot: its state, its pins and its hits do not disturb each other. */
class PinsTest {
  private static final int MAX_PINS = (1 << 23) - 1;
  private final Pins pins = new Pins();

  @BeforeEach
  void makeRoom() {
    pins.reserve(3);
  }

  private void requireWord(int slot, int state, int count, int frequency, boolean verified) {
    int word = pins.word(slot);
    assertThat(Pins.state(word)).as("state").isEqualTo(state);
    assertThat(Pins.count(word)).as("pins").isEqualTo(count);
    assertThat(pins.frequency(slot)).as("frequency").isEqualTo(frequency);
    assertThat(Pins.verified(word)).as("verified").isEqualTo(verified);
    assertThat(pins.pinned(slot)).isEqualTo(count > 0);
  }

  @Test
  void aSlotGoesFromFreeToFree() {
    requireWord(1, Pins.FREE, 0, 0, false);
    pins.allocate(1);
    requireWord(1, Pins.RESERVED, 0, 0, false);
    pins.publish(1, false);
    requireWord(1, Pins.LIVE, 0, 0, false);
    pins.verify(1);
    requireWord(1, Pins.LIVE, 0, 0, true);
    assertThat(pins.retire(1)).isTrue();
    requireWord(1, Pins.FREE, 0, 0, false);
    requireWord(0, Pins.FREE, 0, 0, false);
    requireWord(2, Pins.FREE, 0, 0, false);
  }

  @Test
  void anEntryIsPublishedVerifiedOrNot() {
    pins.allocate(1);
    pins.publish(1, true);
    requireWord(1, Pins.LIVE, 0, 0, true);
    pins.allocate(2);
    pins.publish(2, false);
    requireWord(2, Pins.LIVE, 0, 0, false);
  }

  @Test
  void theLastOfSeveralPinsMakesARetiredSlotFree() {
    pins.allocate(1);
    pins.publish(1, true);
    for (int i = 0; i < 3; i++) {
      assertThat(Pins.count(pins.pin(1))).isEqualTo(i);
    }
    assertThat(pins.unpin(1)).as("it is live").isFalse();
    requireWord(1, Pins.LIVE, 2, 0, true);
    assertThat(pins.retire(1)).isFalse();
    requireWord(1, Pins.RETIRING, 2, 0, false);
    assertThat(Pins.state(pins.pin(1))).as("of a reader that comes late").isEqualTo(Pins.RETIRING);
    assertThat(pins.unpin(1)).isFalse();
    assertThat(pins.unpin(1)).isFalse();
    requireWord(1, Pins.RETIRING, 1, 0, false);
    assertThat(pins.unpin(1)).isTrue();
    requireWord(1, Pins.FREE, 0, 0, false);
  }

  @Test
  void theLastPinOfALiveEntryLeavesIt() {
    pins.allocate(1);
    pins.publish(1, true);
    pins.hit(1);
    int _ = pins.pin(1);
    assertThat(pins.unpin(1)).isFalse();
    requireWord(1, Pins.LIVE, 0, 1, true);
  }

  /** A reader found the slot in the index before it was given out again. */
  @Test
  void aStrayPinSurvivesWhatTheSlotBecomes() {
    int _ = pins.pin(1);
    pins.allocate(1);
    requireWord(1, Pins.RESERVED, 1, 0, false);
    pins.abandon(1);
    requireWord(1, Pins.FREE, 1, 0, false);
    pins.allocate(1);
    pins.publish(1, true);
    requireWord(1, Pins.LIVE, 1, 0, true);
    pins.verify(1);
    pins.frequency(1, 2);
    requireWord(1, Pins.LIVE, 1, 2, true);
    assertThat(pins.unpin(1)).isFalse();
    requireWord(1, Pins.LIVE, 0, 2, true);
    int _ = pins.pin(2);
    assertThat(pins.unpin(2)).as("a slot without an entry").isFalse();
    requireWord(2, Pins.FREE, 0, 0, false);
  }

  @Test
  void hitsAreCountedUpToThree() {
    pins.allocate(1);
    pins.publish(1, false);
    int _ = pins.pin(1);
    for (int i = 1; i <= 6; i++) {
      pins.hit(1);
      requireWord(1, Pins.LIVE, 1, Math.min(i, Pins.MAX_FREQUENCY), false);
    }
    pins.verify(1);
    pins.hit(1);
    requireWord(1, Pins.LIVE, 1, 3, true);
    for (int i = 3; i >= 0; i--) {
      pins.frequency(1, i);
      requireWord(1, Pins.LIVE, 1, i, true);
    }
  }

  @Test
  void whatIsGivenOutAgainHasNoHitsAndIsNotVerified() {
    pins.allocate(1);
    pins.publish(1, true);
    pins.hit(1);
    int _ = pins.pin(1);
    assertThat(pins.retire(1)).isFalse();
    requireWord(1, Pins.RETIRING, 1, 0, false);
    assertThat(pins.unpin(1)).isTrue();
    pins.allocate(1);
    pins.hit(1); // by a reader that still has the old slot
    pins.publish(1, false);
    requireWord(1, Pins.LIVE, 0, 0, false);
    pins.hit(1);
    pins.allocate(1);
    requireWord(1, Pins.RESERVED, 0, 0, false);
  }

  @Test
  void anUnpinWithoutAPinIsRefusedAndChangesNothing() {
    pins.allocate(1);
    pins.publish(1, true);
    pins.hit(1);
    assertThatThrownBy(() -> pins.unpin(1)).isInstanceOf(IllegalStateException.class);
    requireWord(1, Pins.LIVE, 0, 1, true);
    assertThat(pins.retire(1)).isTrue();
    assertThatThrownBy(() -> pins.unpin(1)).isInstanceOf(IllegalStateException.class);
    requireWord(1, Pins.FREE, 0, 0, false);
  }

  @Test
  void millionsOfPinsAreRefusedBeforeTheyReachOtherBits() {
    pins.allocate(1);
    pins.publish(1, true);
    for (int i = 0; i < MAX_PINS; i++) {
      int _ = pins.pin(1);
    }
    assertThatThrownBy(() -> pins.pin(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("close the handles");
    requireWord(1, Pins.LIVE, MAX_PINS, 0, true);
    assertThat(pins.unpin(1)).isFalse();
    assertThat(Pins.count(pins.pin(1))).isEqualTo(MAX_PINS - 1);
    assertThat(pins.retire(1)).isFalse();
    requireWord(1, Pins.RETIRING, MAX_PINS, 0, false);
  }
}
