package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.log.KeptLog.Entry;
import io.everheap.error.CorruptException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.memory.Region;
import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes that the writer and others see, and those that a commit logs. */
class HeapMemoryTest {
  /** Bytes of several lines, which these tests change. */
  private static final int SIZE = 320;

  private final TransactionsRig rig = new TransactionsRig();
  private final Transactions transactions = rig.transactions;
  private final HeapMemory memory = rig.memory;
  private final byte[] model = new byte[SIZE];

  @BeforeEach
  void fillHome() {
    rig.fillHome(AT, AT + SIZE, address -> address * 0x0101_0101_0101_0101L ^ 0x1234_5678_9abcL);
    for (int i = 0; i < SIZE; i += 8) {
      buffer(model).putLong(i, memory.getLong(AT + i));
    }
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void onlyTheWriterSeesItsStoresBeforeTheCommit() throws Exception {
    long before = memory.getLong(AT + 8);
    transactions.begin();
    assertThat(memory.isUntouched()).isTrue();
    assertThat(memory.stored(AT + 8)).isEqualTo(-1);
    memory.putLong(Stripes.NONE, AT + 8, 42);
    assertThat(memory.isUntouched()).isFalse();
    assertThat(memory.getLong(AT + 8)).isEqualTo(42);
    assertThat(memory.storedWord(memory.stored(AT + 8))).isEqualTo(42);
    assertThat(memory.getCommitted(AT + 8)).isEqualTo(before).isNotEqualTo(42);
    assertThat(elsewhere(() -> memory.getLong(AT + 8))).isEqualTo(before);
    byte[] bytes = new byte[8];
    elsewhere(
        () -> {
          memory.copyOut(AT + 8, bytes, 0, 8);
          return true;
        });
    assertThat(buffer(bytes).getLong(0)).isEqualTo(before);
    elsewhere(
        () -> {
          memory.copyOut(AT + 8, MemorySegment.ofArray(bytes), 0, 8);
          return true;
        });
    assertThat(buffer(bytes).getLong(0)).isEqualTo(before);
    memory.copyCommitted(AT + 8, bytes, 0, 8);
    assertThat(buffer(bytes).getLong(0)).isEqualTo(before);
    rig.commit();
    assertThat(elsewhere(() -> memory.getLong(AT + 8))).isEqualTo(42);
    assertThat(memory.getCommitted(AT + 8)).isEqualTo(42);
    memory.copyCommitted(AT + 8, bytes, 0, 8);
    assertThat(buffer(bytes).getLong(0)).isEqualTo(42);
    rig.requireReplayed();
  }

  @Test
  void aLineIsTouchedWhenAnyOfItsWordsWasStored() {
    transactions.begin();
    assertThat(memory.isTouched(AT, SIZE)).isFalse();
    memory.putLong(Stripes.NONE, AT + 64 + 16, 1);
    assertThat(memory.isTouched(AT, 64)).isFalse();
    assertThat(memory.isTouched(AT, 65)).isTrue();
    assertThat(memory.isTouched(AT + 127, 1)).isTrue();
    assertThat(memory.isTouched(AT + 128, 100)).isFalse();
    rig.rollBack();
  }

  @Test
  void bytesAreCopiedWithTheStoresOfTheWriter() {
    Random random = new Random(Seeds.seed());
    transactions.begin();
    requireBytes(random); // with an empty write set
    for (int i = 0; i < 12; i++) {
      int at = 8 * random.nextInt(SIZE / 8);
      long word = random.nextLong();
      memory.putLong(Stripes.NONE, AT + at, word);
      buffer(model).putLong(at, word);
      requireBytes(random);
    }
    rig.commit();
    requireBytes(random);
    rig.requireReplayed();
  }

  /** All ranges near the border of a word, and some others. */
  private void requireBytes(Random random) {
    for (int from = 0; from < 20; from++) {
      for (int len = 0; len < 20; len++) {
        requireBytes(from, len, random.nextInt(5));
      }
    }
    for (int i = 0; i < 50; i++) {
      int from = random.nextInt(SIZE);
      requireBytes(from, random.nextInt(SIZE - from + 1), random.nextInt(5));
    }
    requireBytes(0, SIZE, 0);
  }

  private void requireBytes(int from, int len, int at) {
    byte[] expected = new byte[at + len + 5];
    Arrays.fill(expected, (byte) 77);
    byte[] bytes = expected.clone();
    byte[] segment = expected.clone();
    System.arraycopy(model, from, expected, at, len);
    memory.copyOut(AT + from, bytes, at, len);
    assertThat(bytes).isEqualTo(expected);
    memory.copyOut(AT + from, MemorySegment.ofArray(segment), at, len);
    assertThat(segment).isEqualTo(expected);
  }

  @Test
  void storedBytesReplaceNoOthers() {
    Random random = new Random(Seeds.seed());
    for (int i = 0; i < 300; i++) {
      boolean changedOnly = random.nextBoolean();
      rig.transact(
          () -> {
            for (int n = random.nextInt(3); n >= 0; n--) {
              storeSomeBytes(random, changedOnly);
            }
            byte[] inside = new byte[SIZE];
            memory.copyOut(AT, inside, 0, SIZE);
            assertThat(inside).isEqualTo(model);
          });
      requireModel();
    }
    rig.requireReplayed();
  }

  private void storeSomeBytes(Random random, boolean changedOnly) {
    int at = 8 * random.nextInt(SIZE / 8);
    int len = random.nextInt(SIZE - at + 1);
    int from = random.nextInt(4);
    byte[] src = new byte[from + len + 3];
    random.nextBytes(src);
    if (changedOnly && len > 0) {
      System.arraycopy(model, at, src, from, len);
      for (int i = random.nextInt(4); i > 0; i--) {
        src[from + random.nextInt(len)] ^= (byte) 1;
      }
    }
    if (changedOnly) {
      memory.putChanged(Stripes.NONE, AT + at, src, from, len);
    } else {
      memory.putBytes(Stripes.NONE, AT + at, src, from, len);
    }
    System.arraycopy(src, from, model, at, len);
  }

  private void requireModel() {
    byte[] bytes = new byte[SIZE];
    memory.copyCommitted(AT, bytes, 0, SIZE);
    assertThat(bytes).isEqualTo(model);
  }

  @Test
  void onlyWordsThatChangeAreLogged() {
    Random random = new Random(Seeds.seed());
    for (int words : new int[] {1, 3, 8, 9, 40}) {
      for (int i = 0; i < 30; i++) {
        int at = 8 * random.nextInt(SIZE / 8 - words + 1);
        int changed = 8 * random.nextInt(words);
        int tail = random.nextInt(8);
        byte[] src = Arrays.copyOfRange(model, at, at + 8 * words);
        src[changed + random.nextInt(8)] ^= (byte) 4;
        int len = 8 * words - (changed == 8 * words - 8 ? 0 : tail);
        rig.transact(() -> memory.putChanged(Stripes.NONE, AT + at, src, 0, len));
        System.arraycopy(src, 0, model, at, 8 * words);
        assertThat(rig.log.entries())
            .containsExactly(Entry.run(AT + at + changed, buffer(src).getLong(changed)));
        rig.requireReplayed();
      }
    }
    requireModel();
  }

  @Test
  void equalBytesAreNotLogged() {
    rig.transact(() -> memory.putChanged(Stripes.NONE, AT + 8, model, 8, 203));
    assertThat(rig.log.parts).isEmpty();
    rig.transact(() -> memory.putBytes(Stripes.NONE, AT + 56, model, 56, 16));
    assertThat(rig.log.entries())
        .containsExactly(Entry.run(AT + 56, buffer(model).getLong(56), buffer(model).getLong(64)));
  }

  @Test
  void aLastWordWithAnEqualBeginningIsNotLogged() {
    rig.transact(() -> memory.putChanged(Stripes.NONE, AT, model, 0, 5));
    assertThat(rig.log.parts).isEmpty();
    byte[] src = Arrays.copyOf(model, 5);
    src[4] ^= (byte) 1;
    rig.transact(() -> memory.putChanged(Stripes.NONE, AT, src, 0, 5));
    System.arraycopy(src, 0, model, 0, 5);
    assertThat(rig.log.entries()).containsExactly(Entry.run(AT, buffer(model).getLong(0)));
    requireModel();
  }

  @Test
  void changesAreFoundInBytesThatTheTransactionStored() {
    byte[] src = Arrays.copyOf(model, 16);
    src[9] ^= (byte) 1;
    rig.transact(
        () -> {
          memory.putChanged(Stripes.NONE, AT, src, 0, 16);
          memory.putChanged(Stripes.NONE, AT, model, 0, 16); // as in the home image
          assertThat(memory.getLong(AT + 8)).isEqualTo(buffer(model).getLong(8));
        });
    requireModel();
  }

  @Test
  void aChangeAfterAnEqualLineIsStoredWhateverIsBeforeIt() {
    byte[] lines = new byte[192];
    Arrays.fill(lines, 0, 64, (byte) 9);
    Arrays.fill(lines, 64, 128, (byte) 1);
    Arrays.fill(lines, 128, 192, (byte) 5);
    byte[] src = new byte[128];
    Arrays.fill(src, 0, 64, (byte) 1);
    Arrays.fill(src, 64, 128, (byte) 9);
    rig.transact(() -> memory.putBytes(Stripes.NONE, AT, lines, 0, 192));
    rig.transact(() -> memory.putChanged(Stripes.NONE, AT + 64, src, 0, 128));
    byte[] bytes = new byte[128];
    memory.copyCommitted(AT + 64, bytes, 0, 128);
    assertThat(bytes).isEqualTo(src);
  }

  @Test
  void theLastBytesOfAnExtentAreStored() {
    long last = (1L << TransactionsRig.EXTENT_SHIFT) - 16;
    byte[] src = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    rig.transact(() -> memory.putChanged(Stripes.NONE, last, src, 0, 16));
    byte[] bytes = new byte[16];
    memory.copyCommitted(last, bytes, 0, 16);
    assertThat(bytes).isEqualTo(src);
    rig.transact(() -> memory.putBytes(Stripes.NONE, last, src, 8, 8));
    assertThat(memory.getLong(last)).isEqualTo(buffer(src).getLong(8));
    rig.requireReplayed();
  }

  @Test
  void aStripeChangesWithEachStoreThatNamesIt() {
    requireStripe(5, () -> memory.putLong(5, AT, 1));
    requireStripe(6, () -> memory.putBytes(6, AT, new byte[16], 0, 16));
    requireStripe(7, () -> memory.putBytes(7, AT, new byte[16], 0, 3));
    requireStripe(0, () -> memory.putBytes(0, AT, new byte[16], 0, 8));
    requireStripe(0, () -> memory.putLong(0, AT, 9));
    byte[] other = {1, 2, 3, 4, 5, 6, 7, 8};
    requireStripe(8, () -> memory.putChanged(8, AT, other, 0, 8));
    requireStripe(0, () -> memory.putChanged(0, AT + 64, other, 0, 8));
    requireStripe(9, () -> memory.putChanged(9, AT + 128, other, 0, 7));
    requireStripe(
        10,
        () -> {
          memory.touch(10);
          memory.putLong(Stripes.NONE, AT, 3);
        });
  }

  private void requireStripe(int stripe, Runnable store) {
    long[] before = new long[20];
    Arrays.setAll(before, transactions.stripes()::sample);
    rig.transact(store);
    for (int i = 0; i < before.length; i++) {
      assertThat(transactions.stripes().sample(i)).isEqualTo(before[i] + (i == stripe ? 2 : 0));
    }
  }

  @Test
  void storesToAFreshBlockAreInTheHomeImageAtOnce() {
    byte[] src = new byte[64];
    new Random(Seeds.seed()).nextBytes(src);
    transactions.begin();
    memory.initLong(AT, 7);
    assertThat(memory.getCommitted(AT)).isEqualTo(7);
    for (int len = 0; len <= 24; len++) {
      rig.home.putLong(AT + 64 + (len & ~7), -1);
      rig.home.putLong(AT + 64 + ((len + 7) & ~7), -1);
      memory.initBytes(AT + 64, src, 3, len);
      byte[] expected = Arrays.copyOf(Arrays.copyOfRange(src, 3, 3 + len), (len + 7) & ~7);
      byte[] bytes = new byte[expected.length];
      memory.copyCommitted(AT + 64, bytes, 0, bytes.length);
      assertThat(bytes).as("the last word is padded with zeros").isEqualTo(expected);
      assertThat(memory.getCommitted(AT + 64 + expected.length)).isEqualTo(-1);
    }
    memory.initBytes(AT + 3, MemorySegment.ofArray(src), 5, 9);
    byte[] bytes = new byte[9];
    memory.copyCommitted(AT + 3, bytes, 0, 9);
    assertThat(bytes).isEqualTo(Arrays.copyOfRange(src, 5, 14));
    assertThat(memory.getCommitted(AT) & 0xff_ffffL).as("bytes before").isEqualTo(7);
    long after = memory.getCommitted(AT + 80);
    memory.initZero(AT + 64, 16);
    assertThat(memory.getCommitted(AT + 64)).isZero();
    assertThat(memory.getCommitted(AT + 72)).isZero();
    assertThat(memory.getCommitted(AT + 80)).isEqualTo(after);
    Region region = memory.fresh(AT);
    assertThat(region).isSameAs(rig.home.mapped(AT));
    assertThat(region.getLong(memory.offset(AT))).isEqualTo(memory.getCommitted(AT));
    rig.rollBack();
  }

  @Test
  void aFillIsLoggedAsOneEntryAndStoredByTheCommit() {
    long before = memory.getLong(AT + 24);
    rig.transact(
        () -> {
          memory.fillWords(AT, 24, 5, -9);
          assertThat(memory.getLong(AT + 24)).isEqualTo(before);
          assertThat(memory.isUntouched()).isFalse();
        });
    assertThat(rig.log.entries()).containsExactly(Entry.fill(AT, 24, 5, -9));
    for (int i = 0; i < 5; i++) {
      assertThat(memory.getLong(AT + 24L * i)).isEqualTo(-9);
    }
    assertThat(memory.getLong(AT + 8)).isNotEqualTo(-9);
    rig.requireReplayed();
  }

  @Test
  void storesNeedATransactionOfTheThread() {
    byte[] src = new byte[8];
    for (Runnable store :
        List.<Runnable>of(
            () -> memory.putLong(Stripes.NONE, AT, 1),
            () -> memory.putBytes(Stripes.NONE, AT, src, 0, 8),
            () -> memory.putChanged(Stripes.NONE, AT, src, 0, 8),
            () -> memory.initLong(AT, 1),
            () -> memory.fresh(AT),
            () -> memory.initBytes(AT, src, 0, 8),
            () -> memory.initBytes(AT, MemorySegment.ofArray(src), 0, 8),
            () -> memory.initZero(AT, 8),
            () -> memory.fillWords(AT, 8, 1, 1),
            () -> memory.touch(1),
            memory::requireWriter)) {
      assertThatExceptionOfType(OutsideTransactionException.class).isThrownBy(store::run);
    }
    requireModel();
    transactions.begin();
    memory.requireWriter();
    rig.rollBack();
    rig.requireReplayed();
  }

  @Test
  void anAddressIsAnOffsetInItsExtent() {
    long address = (2L << TransactionsRig.EXTENT_SHIFT) + 4096;
    rig.transact(() -> memory.putLong(Stripes.NONE, address, 77));
    assertThat(memory.offset(address)).isEqualTo(4096);
    assertThat(memory.windowOffset(address)).isEqualTo(4096);
    assertThat(memory.extentStart(address)).isEqualTo(2L << TransactionsRig.EXTENT_SHIFT);
    assertThat(memory.extent(address).getLong(4096)).isEqualTo(77);
    assertThat(memory.window(address)).isSameAs(rig.home.window(address));
    MemorySegment now = Objects.requireNonNull(memory.window(address).now());
    assertThat(memory.window(address).load(now, 4096)).isEqualTo(77);
  }

  @Test
  void aCommitThatNotesAFreeChangesTheVersion() {
    long before = transactions.lock.frees();
    rig.transact(() -> memory.putLong(Stripes.NONE, AT, 5));
    assertThat(transactions.lock.isStill(before)).isTrue();
    rig.transact(
        () -> {
          memory.noteFree();
          memory.putLong(Stripes.NONE, AT, 6);
        });
    assertThat(transactions.lock.isStill(before)).isFalse();
    long after = transactions.lock.frees();
    rig.transact(() -> memory.putLong(Stripes.NONE, AT, 7));
    assertThat(transactions.lock.isStill(after)).as("by the next transaction").isTrue();
  }

  @Test
  void aResidentPageIsNotDirty() {
    long page = AT + 5L * HomeLayout.PAGE_SIZE;
    memory.markResident(page, 100);
    assertThat(rig.home.resident().contains(page)).isTrue();
    assertThat(rig.home.dirty().contains(page)).isFalse();
    rig.transact(() -> memory.putLong(Stripes.NONE, page + 8192, 1));
    assertThat(rig.home.dirty().contains(page + 8192)).isTrue();
  }

  @Test
  void onlyAFaultOfTheDataIsReported() {
    assertThat(memory.isDataFault(new IllegalStateException("closed"))).isFalse();
    assertThat(memory.isDataFault(new NullPointerException())).isFalse();
    assertThat(memory.isDataFault(new IndexOutOfBoundsException())).isTrue();
    assertThatExceptionOfType(CorruptException.class)
        .isThrownBy(() -> memory.getLong(1L << 50))
        .satisfies(e -> assertThat(memory.isDataFault(e)).isTrue());
  }

  private static ByteBuffer buffer(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static <T> T elsewhere(java.util.function.Supplier<T> read) throws Exception {
    CompletableFuture<T> result = new CompletableFuture<>();
    Limit.join(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    result.complete(read.get());
                  } catch (RuntimeException | Error e) {
                    result.completeExceptionally(e);
                  }
                }));
    return Limit.get(result);
  }
}
