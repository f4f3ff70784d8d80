package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.ReplacedRegion;
import io.everheap.error.CorruptException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.heap.OpenHeap;
import io.everheap.support.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a snapshot keeps, and when it gives up. */
class SnapshotTest {
  @Test
  void aBlockThatIsLargerThanTheBudgetIsGivenUpAtOnce() {
    try (Heap heap = Heap.inMemory()) {
      Transactions transactions = OpenHeap.engine(heap).transactions();
      Snapshot[] snapshot = new Snapshot[1];
      heap.transact(() -> snapshot[0] = transactions.snapshot(1 << 16));
      heap.transact(() -> snapshot[0].block(0, 1L << 60));
      assertThat(snapshot[0].lost()).isTrue();
      assertThat(snapshot[0].savedBytes()).isZero();
      transactions.quiesced(transactions::dropSnapshot);
    }
  }

  @Test
  void whatIsOverwrittenIsReadAsItWas() {
    try (Heap heap = Heap.inMemory()) {
      DurableMap<Integer, Integer> map = heap.map("map", Integer.class, Integer.class);
      map.put(1, 10);
      Transactions transactions = OpenHeap.engine(heap).transactions();
      Snapshot[] snapshot = new Snapshot[1];
      heap.transact(() -> snapshot[0] = transactions.snapshot(1 << 20));
      long before = sum(heap, snapshot[0].memory());
      map.put(1, 11);
      map.put(2, 20);
      assertThat(sum(heap, snapshot[0].memory())).isEqualTo(before);
      assertThat(sum(heap, OpenHeap.engine(heap).memory())).isNotEqualTo(before);
      assertThat(snapshot[0].savedBytes()).isPositive();
      transactions.quiesced(transactions::dropSnapshot);
    }
  }

  @Test
  void theBytesOfASnapshotAreThoseAtItsBegin() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Random random = new Random(Seeds.seed());
      int size = 640;
      byte[] before = new byte[size];
      random.nextBytes(before);
      rig.transact(() -> rig.memory.putBytes(Stripes.NONE, AT, before, 0, size));
      Snapshot snapshot = take(rig, 1 << 20);
      for (int i = 0; i < 5; i++) {
        int at = 8 * random.nextInt(size / 8);
        rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + at, random.nextLong()));
      }
      HeapMemory memory = snapshot.memory();
      for (int from = 0; from < 20; from++) {
        for (int len = 0; len < 40; len++) {
          byte[] expected = new byte[len + 7];
          Arrays.fill(expected, (byte) 9);
          byte[] bytes = expected.clone();
          byte[] committed = expected.clone();
          byte[] segment = expected.clone();
          System.arraycopy(before, from, expected, 3, len);
          memory.copyOut(AT + from, bytes, 3, len);
          memory.copyCommitted(AT + from, committed, 3, len);
          memory.copyOut(AT + from, MemorySegment.ofArray(segment), 3, len);
          assertThat(bytes).isEqualTo(expected);
          assertThat(committed).isEqualTo(expected);
          assertThat(segment).isEqualTo(expected);
        }
      }
      byte[] all = new byte[size];
      memory.copyOut(AT, all, 0, size);
      assertThat(all).isEqualTo(before);
      for (int at = 0; at < size; at += 8) {
        long word = ByteBuffer.wrap(before).order(ByteOrder.LITTLE_ENDIAN).getLong(at);
        assertThat(memory.getLong(AT + at)).isEqualTo(word);
        assertThat(memory.getCommitted(AT + at)).isEqualTo(word);
      }
    }
  }

  private static Snapshot take(TransactionsRig rig, long budget) {
    Snapshot[] taken = new Snapshot[1];
    rig.transact(() -> taken[0] = rig.transactions.snapshot(budget));
    return taken[0];
  }

  @Test
  void storesAndExtentsOfASnapshotAreRefused() {
    try (TransactionsRig rig = new TransactionsRig()) {
      HeapMemory memory = take(rig, 1 << 20).memory();
      assertThatExceptionOfType(OutsideTransactionException.class)
          .isThrownBy(() -> memory.putLong(Stripes.NONE, AT, 1));
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> memory.extent(AT));
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> memory.window(AT));
    }
  }

  @Test
  void eachLineIsSavedOnceAndOnlyIfItIsStored() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 1 << 20);
      for (int i = 0; i < 3; i++) {
        rig.transact(
            () -> {
              rig.memory.putLong(Stripes.NONE, AT + 8, 5);
              rig.memory.putLong(Stripes.NONE, AT + 200, 5);
              rig.transactions.begin();
              rig.memory.putLong(Stripes.NONE, AT + 640, 5);
              rig.rollBack(); // leaves a line without words
            });
      }
      assertThat(snapshot.savedBytes()).isEqualTo(128);
      assertThat(snapshot.lost()).isFalse();
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + 64, 5));
      assertThat(snapshot.savedBytes()).isEqualTo(192);
    }
  }

  @Test
  void aFreedBlockIsSavedWithAllItsLines() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 1 << 20);
      snapshot.block(AT + 48, 32);
      assertThat(snapshot.savedBytes()).isEqualTo(128);
      snapshot.block(AT + 128, 64);
      assertThat(snapshot.savedBytes()).isEqualTo(192);
      snapshot.block(TransactionsRig.CAPACITY - 64, 1 << 12);
      assertThat(snapshot.savedBytes()).as("the image ends there").isEqualTo(256);
      snapshot.block(TransactionsRig.CAPACITY, 1 << 12);
      assertThat(snapshot.savedBytes()).isEqualTo(256);
      assertThat(snapshot.lost()).isFalse();
    }
  }

  @Test
  void aSnapshotIsLostWhenItsBudgetIsExceeded() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 4 * 64);
      snapshot.block(AT, 4 * 64);
      assertThat(snapshot.lost()).isFalse();
      assertThat(snapshot.savedBytes()).isEqualTo(4 * 64);
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + 64, 5));
      assertThat(snapshot.lost()).isFalse();
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + 64 * 4, 5));
      assertThat(snapshot.lost()).isTrue();
      assertThat(snapshot.savedBytes()).isZero();
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + 64 * 5, 5));
      assertThat(snapshot.savedBytes()).isZero();
      assertThat(snapshot.memory().getLong(AT + 64)).as("it is undefined").isZero();

      Snapshot other = take(rig, 4 * 64);
      other.block(AT, 6 * 64);
      assertThat(other.lost()).as("at once").isTrue();
      assertThat(other.savedBytes()).isZero();
      other.block(AT, 64);
      assertThat(other.savedBytes()).isZero();
    }
  }

  @Test
  void aChunkIsUntouchedUntilALineOfItIsSaved() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 1 << 20);
      long chunk = HomeLayout.CHUNK_SIZE;
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, 3 * chunk + 640, 5));
      for (int i = 0; i < TransactionsRig.CAPACITY / chunk; i++) {
        assertThat(snapshot.isUntouched(i * chunk + 8)).isEqualTo(i != 3);
        assertThat(snapshot.isUntouched((i + 1) * chunk - 8)).isEqualTo(i != 3);
      }
      assertThat(snapshot.isUntouched(TransactionsRig.CAPACITY)).isFalse();
      for (long line = 0; line < chunk; line += 64) {
        assertThat(snapshot.memory().getLong(3 * chunk + line)).isZero();
      }
    }
  }

  @Test
  void everyLineOfAChunkIsSavedAlone() {
    try (TransactionsRig rig = new TransactionsRig()) {
      long end = AT + 2L * HomeLayout.CHUNK_SIZE;
      rig.fillHome(AT, end, address -> address + 1);
      Snapshot snapshot = take(rig, 1 << 20);
      Random random = new Random(Seeds.seed());
      for (int n = 1; n < 100; n++) {
        long at = AT + 64L * random.nextInt(2 * HomeLayout.CHUNK_SIZE / 64);
        rig.transact(() -> rig.memory.putLong(Stripes.NONE, at, random.nextLong()));
        assertThat(snapshot.memory().getLong(at)).isEqualTo(at + 1);
      }
      for (long at = AT; at < end; at += 64) {
        long word = snapshot.memory().getLong(at);
        if (word != at + 1) {
          assertThat(word).isEqualTo(at + 1);
        }
      }
    }
  }

  @Test
  void asManyLinesAsAWriteSetBeginsWithAreSaved() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 1 << 20);
      rig.transact(
          () -> {
            for (int i = 0; i < 64; i++) {
              rig.memory.putLong(Stripes.NONE, AT + 64L * i, i);
            }
          });
      assertThat(snapshot.savedBytes()).isEqualTo(64 * 64);
    }
  }

  @Test
  void linesBeyondTheImageOfTheSnapshotAreNotSaved() {
    try (TransactionsRig rig = new TransactionsRig()) {
      long capacity = TransactionsRig.CAPACITY - HomeLayout.CHUNK_SIZE; // it grows afterwards
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, HomeLayout.CAPACITY_ADDRESS, capacity));
      Snapshot snapshot = take(rig, 1 << 20);
      rig.transact(
          () -> {
            rig.memory.putLong(Stripes.NONE, capacity, 1);
            rig.memory.putLong(Stripes.NONE, capacity + 640, 1);
          });
      assertThat(snapshot.savedBytes()).isZero();
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, capacity - 8, 1));
      assertThat(snapshot.savedBytes()).isEqualTo(64);
      assertThat(snapshot.memory().getLong(capacity - 8)).isZero();
    }
  }

  @Test
  void aSnapshotIsLostWhenTheJavaHeapIsExhausted() {
    try (TransactionsRig rig = new TransactionsRig()) {
      Snapshot snapshot = take(rig, 1 << 20);
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT, 1));
      ReplacedRegion.failNextLoad(rig.home, AT, new OutOfMemoryError("on purpose"));
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT + 64, 2));
      assertThat(snapshot.lost()).isTrue();
      assertThat(snapshot.savedBytes()).isZero();
      assertThat(rig.memory.getLong(AT + 64)).as("the commit stands").isEqualTo(2);
      assertThat(rig.monitor.poisonedBy).isEmpty();
    }
  }

  @Test
  void aLineWhoseMemoryWasUnmappedIsStillRead() {
    try (TransactionsRig rig = new TransactionsRig()) {
      long last = TransactionsRig.CAPACITY - (1L << TransactionsRig.EXTENT_SHIFT);
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, last, 5));
      Snapshot snapshot = take(rig, 1 << 20);
      rig.transact(() -> rig.memory.putLong(Stripes.NONE, last, 6));
      rig.home.truncate(last, () -> new IllegalStateException("lost"));
      assertThat(snapshot.memory().getLong(last)).isEqualTo(5);
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> snapshot.memory().getLong(last + 64));
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> snapshot.memory().getLong(TransactionsRig.CAPACITY));
      assertThatExceptionOfType(CorruptException.class)
          .isThrownBy(() -> snapshot.memory().getLong(1L << 40));
    }
  }

  private static long sum(Heap heap, HeapMemory memory) {
    long sum = 0;
    for (long address = 0; address < OpenHeap.engine(heap).superblock().capacity(); address += 8) {
      sum = 31 * sum + memory.getLong(address);
    }
    return sum;
  }
}
