package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.ReplicaApplier;
import io.everheap.engine.ReplicaPosition;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.EpochStart;
import io.everheap.engine.log.LogFeed;
import io.everheap.engine.log.PartLayout;
import io.everheap.engine.log.PartStream;
import io.everheap.error.CorruptException;
import io.everheap.heap.HeapSettings;
import io.everheap.heap.OpenHeap;
import io.everheap.support.tier.Campaign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which of a primary's transactions a replica applies as one. */
@Campaign
class ReplicaApplierTest {
  private static final int KEYS = 256;
  private static final int UPDATES = 200;

  @TempDir Path dir;
  private Heap primary;
  private Heap replica;
  private DurableMap<Integer, byte[]> map;

  @BeforeEach
  void begin() {
    primary =
        Heap.builder(dir.resolve("primary"))
            .durability(Durability.async(Duration.ofSeconds(10)))
            .open();
    map = map(primary);
    for (int key = 0; key < KEYS; key++) {
      map.put(key, new byte[100]);
    }
    ReplicaPair.join(primary, dir.resolve("replica"));
    replica = ReplicaPair.open(dir.resolve("replica"));
    applier().begin();
  }

  @AfterEach
  void end() {
    replica.close();
    primary.close();
  }

  private static DurableMap<Integer, byte[]> map(Heap heap) {
    return heap.map("map", Integer.class, byte[].class);
  }

  private ReplicaApplier applier() {
    return OpenHeap.engine(replica).applier();
  }

  /** Updates values, one in each transaction, and returns these transactions. */
  private List<PartStream.Transaction> update(IntUnaryOperator key) {
    for (int i = 0; i < UPDATES; i++) {
      byte[] value = new byte[100];
      Arrays.fill(value, (byte) (i + 1));
      map.put(key.applyAsInt(i), value);
    }
    primary.sync();
    Engine from = OpenHeap.engine(primary);
    ReplicaPosition at = applier().position();
    List<PartStream.Transaction> all = new ArrayList<>();
    try (LogFeed feed = LogFeed.open(from.medium(), from.log(), at.lsn(), at.chain())) {
      PartStream stream = stream(feed, at, all::addAll);
      for (byte[] parts = feed.next(); parts.length > 0; parts = feed.next()) {
        stream.accept(parts);
      }
    }
    assertThat(all).hasSize(UPDATES);
    return all;
  }

  private PartStream stream(LogFeed feed, ReplicaPosition at, PartStream.Receiver to) {
    return new PartStream(
        primary.toString(),
        OpenHeap.engine(primary).uuid(),
        new EpochStart(feed.epoch(), at.lsn(), at.chain()),
        to);
  }

  /** Applies transactions; returns how many the replica made of them. */
  private long apply(List<PartStream.Transaction> all) {
    long before = replica.stats().commits();
    applier().receiver(applier().position().line()).transactions(all);
    return replica.stats().commits() - before;
  }

  private void requireEqual() {
    DurableMap<Integer, byte[]> copy = map(replica);
    map.forEach((key, value) -> assertThat(copy.get(key)).isEqualTo(value));
    assertThat(replica.verify().problems()).isEmpty();
  }

  @Test
  void updatesOfDifferentRecordsAreAppliedTogetherAndThoseOfOneAreNot() {
    List<PartStream.Transaction> different = update(i -> i);
    assertThat(apply(different)).isLessThan(UPDATES / 2);
    requireEqual();
    assertThat(applier().position().lsn()).isEqualTo(different.getLast().lsn());

    assertThat(apply(update(i -> 7))).isEqualTo(UPDATES);
    requireEqual();
  }

  @Test
  void whatIsJoinedTakesLessLog() {
    List<PartStream.Transaction> received = update(i -> i);
    long start = replica.stats().appendedLsn();
    apply(received);
    long joined = replica.stats().appendedLsn() - start;

    List<PartStream.Transaction> more = update(i -> KEYS - 1 - i);
    start = replica.stats().appendedLsn();
    more.forEach(one -> apply(List.of(one)));
    assertThat(joined).isLessThan(replica.stats().appendedLsn() - start);
    requireEqual();
  }

  /** As the mirror of a primary with a small limit has it. */
  @ParameterizedTest
  @ValueSource(longs = {4 << 10, 16 << 10, 1 << 20})
  void whatIsJoinedIsWithinTheLimitOfATransaction(long limit) {
    List<PartStream.Transaction> received = update(i -> i * 7 % KEYS);
    replica.close();
    replica =
        HeapSettings.role(
                Heap.builder(dir.resolve("replica")).maxTransaction(limit),
                HeapSettings.Role.REPLICA)
            .open();
    applier().begin();

    assertThat(apply(received)).isLessThan(UPDATES * 2 / 3);
    requireEqual();
  }

  /** One that begins in one message and ends in another is neither joined nor torn. */
  @Test
  void transactionsInSeveralPartsArriveInSeveralMessages() {
    Engine from = OpenHeap.engine(primary);
    ReplicaPosition at = applier().position();
    map.put(1, new byte[100_000]);
    map.put(2, new byte[] {1});
    primary.sync();
    try (LogFeed feed = LogFeed.open(from.medium(), from.log(), at.lsn(), at.chain())) {
      PartStream stream = stream(feed, at, applier().receiver(at.line()));
      int parts = 0;
      for (byte[] batch = feed.next(); batch.length > 0; batch = feed.next()) {
        ByteBuffer b = ByteBuffer.wrap(batch).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < batch.length; parts++) {
          int length = PartLayout.length(b.getInt(i + PartLayout.LENGTH));
          stream.accept(Arrays.copyOfRange(batch, i, i + length));
          assertThat(applier().position().lsn()).isEqualTo(stream.committed());
          i += length;
        }
      }
      assertThat(parts).isGreaterThan(5);
      assertThat(stream.committed()).isEqualTo(stream.lsn());
    }
    requireEqual();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1L << 40})
  void oneThatFailsFailsAlone(long address) {
    List<PartStream.Transaction> received = new ArrayList<>(update(i -> i));
    PartStream.Transaction last = received.getLast();
    received.add(new PartStream.Transaction(List.of(run(address)), last.lsn() + 48, 0));

    assertThatThrownBy(() -> apply(received))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)");
    requireEqual();
    assertThat(applier().position().lsn()).isEqualTo(last.lsn());
  }

  @Test
  void oneWithoutWellFormedEntriesFailsAlone() {
    List<PartStream.Transaction> received = new ArrayList<>(update(i -> i));
    PartStream.Transaction last = received.getLast();
    MemorySegment part = run(HomeLayout.CATALOG_ADDRESS);
    part.set(ValueLayout.JAVA_LONG_UNALIGNED, PartLayout.HEADER_SIZE, -1);
    received.add(new PartStream.Transaction(List.of(part), last.lsn() + 48, 0));

    assertThatThrownBy(() -> apply(received))
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining("(EH-CORRUPT-LOG)")
        .hasMessageContaining("entries that no log has");
    requireEqual();
    assertThat(applier().position().lsn()).isEqualTo(last.lsn());
  }

  /** A part that stores a word at an address. */
  private static MemorySegment run(long address) {
    MemorySegment part = MemorySegment.ofArray(new byte[PartLayout.HEADER_SIZE + 32]);
    part.set(ValueLayout.JAVA_LONG_UNALIGNED, PartLayout.HEADER_SIZE, EntryLayout.run(address, 1));
    part.set(ValueLayout.JAVA_LONG_UNALIGNED, PartLayout.HEADER_SIZE + 8L, 1);
    return part;
  }
}
