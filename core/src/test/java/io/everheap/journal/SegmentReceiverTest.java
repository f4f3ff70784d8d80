package io.everheap.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReplicationException;
import io.everheap.journal.replica.JournalFeed;
import io.everheap.journal.replica.JournalOrigin;
import io.everheap.journal.replica.JournalReplication;
import io.everheap.journal.replica.JournalTarget;
import io.everheap.memory.FileMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replica takes from a primary that sends nonsense: nothing. */
class SegmentReceiverTest {
  @TempDir Path dir;

  private JournalTarget target() {
    return JournalReplication.target(
        Journal.builder(dir), FileMedium.open(dir.resolve("replica"), false, true), null);
  }

  private static void follow(JournalTarget target, JournalOrigin origin) {
    target.settle();
    target.follow(0, origin.uuid(), origin.oldestSequence(), origin.segmentSize());
  }

  @Test
  void partsThatAreChangedLeftOutOrRepeatedAreRefusedAndNothingOfThemIsStored() {
    try (Journal journal = Journal.builder(dir.resolve("primary")).segmentSize(16 << 10).open()) {
      for (int i = 0; i < 60; i++) {
        journal.append(new byte[500]);
      }
      JournalOrigin origin = JournalReplication.origin(journal, "primary");
      List<byte[]> parts = new ArrayList<>();
      try (JournalTarget target = target()) {
        follow(target, origin);
        try (JournalFeed feed = origin.feed(target.settle())) {
          for (byte[] part = feed.next(); part.length > 0; part = feed.next()) {
            Random random = new Random(parts.size());
            for (int i = 0; i < 20; i++) {
              int at = random.nextInt(Math.min(part.length, 60));
              if (at < 9 || at > 12) { // where a piece says how much is still to come
                byte[] changed = part.clone();
                changed[at] ^= (byte) (1 << random.nextInt(8));
                requireRefused(target, origin, changed);
              }
            }
            requireRefused(target, origin, new byte[0]);
            for (byte[] earlier : parts) {
              requireRefused(target, origin, earlier);
            }
            target.accept(part);
            parts.add(part);
          }
        }
        assertThat(parts).hasSizeGreaterThan(5);
        assertThat(target.durable()).isEqualTo(origin.durable());
      }
      try (JournalTarget target = target()) {
        assertThat(target.settle().sequence()).isEqualTo(60);
      }
    }
  }

  private static void requireRefused(JournalTarget target, JournalOrigin origin, byte[] part) {
    long before = target.durable();
    assertThatThrownBy(() -> target.accept(part)).isInstanceOf(ReplicationException.class);
    follow(target, origin);
    assertThat(target.durable()).isEqualTo(before);
  }

  @Test
  void aStartThatNoJournalHasIsRefused() {
    try (JournalTarget target = target()) {
      target.settle();
      for (int size : new int[] {0, -1, 5000, Integer.MAX_VALUE}) {
        assertThatThrownBy(() -> target.follow(0, UUID.randomUUID(), 0, size))
            .isInstanceOf(ReplicationException.class);
      }
      assertThatThrownBy(() -> target.follow(0, UUID.randomUUID(), -1, 16 << 10))
          .isInstanceOf(ReplicationException.class);
    }
    assertThat(dir.resolve("replica").resolve("journal")).doesNotExist();
  }

  @Test
  void aTermThatNoPromotionGivesIsNotStored() {
    UUID uuid = UUID.randomUUID();
    try (JournalTarget target = target()) {
      target.settle();
      assertThatThrownBy(() -> target.follow(-1, uuid, 0, 16 << 10))
          .isInstanceOf(ReplicationException.class);
      assertThat(target.uuid()).isNull();
      target.follow(5L << 32, uuid, 0, 16 << 10);
      for (long term : new long[] {-1, 0x7FFF_FFFF_0000_0005L}) {
        assertThatThrownBy(() -> target.follow(term, uuid, 0, 16 << 10))
            .isInstanceOf(ReplicationException.class);
      }
      assertThat(target.term()).isEqualTo(5L << 32);
      assertThat(target.promote() >>> 32).isEqualTo(6);
    }
  }
}
