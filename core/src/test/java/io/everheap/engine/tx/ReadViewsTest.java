package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bodies of reads see one state, and run again if a commit intervenes. */
class ReadViewsTest {
  private final TransactionsRig rig = new TransactionsRig();
  private final Transactions transactions = rig.transactions;
  private int runs;

  @AfterEach
  void close() {
    assertThat(transactions.inView()).isFalse();
    assertThat(transactions.lock.hasViews()).isFalse();
    rig.close();
  }

  /** A read of a word, as structures do it. */
  private long read() {
    long word = rig.memory.getLong(AT);
    transactions.checkRead();
    return word;
  }

  private void commitElsewhere() {
    try {
      Limit.join(
          Thread.ofPlatform()
              .start(
                  () ->
                      rig.transact(
                          () -> rig.memory.putLong(Stripes.NONE, AT, rig.memory.getLong(AT) + 1))));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBodyRunsOnceWithoutTheLock() throws Exception {
    assertThat(
            transactions.read(
                () -> {
                  runs++;
                  assertThat(transactions.inView()).isTrue();
                  assertThat(transactions.lock.hasViews()).isTrue();
                  assertThat(transactions.lock.isHeld()).isFalse();
                  read();
                  return "result";
                }))
        .isEqualTo("result");
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void aReadAfterACommitStartsTheBodyAgain() throws Exception {
    List<Long> seen = new ArrayList<>();
    long result =
        transactions.read(
            () -> {
              seen.add(read());
              if (seen.size() == 1) {
                commitElsewhere();
              }
              seen.add(read());
              return seen.getLast();
            });
    assertThat(result).isEqualTo(1);
    assertThat(seen).as("the second read of the first run ends it").containsExactly(0L, 1L, 1L);
  }

  @Test
  void aCommitAfterTheLastReadStartsTheBodyAgain() throws Exception {
    long result =
        transactions.read(
            () -> {
              runs++;
              long word = rig.memory.getLong(AT);
              if (runs == 1) {
                commitElsewhere();
              }
              return word;
            });
    assertThat(result).isEqualTo(1);
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void aBodyThatNeverSeesOneStateRunsUnderTheLock() throws Exception {
    boolean held =
        transactions.read(
            () -> {
              runs++;
              read();
              if (!transactions.lock.isHeld()) {
                commitElsewhere();
                read();
                throw new AssertionError("the view was not ended");
              }
              assertThat(transactions.inView()).isTrue();
              return transactions.lock.isHeldBy(Thread.currentThread());
            });
    assertThat(held).isTrue();
    assertThat(runs).isEqualTo(17);
    rig.requireFree();
  }

  @Test
  void aReadUnderTheLockIsNotEnded() throws Exception {
    transactions.read(
        () -> {
          if (!transactions.lock.isHeld()) {
            commitElsewhere();
          }
          return read();
        });
    RuntimeException failure = new IllegalStateException("of the body");
    assertThatThrownBy(
            () ->
                transactions.read(
                    () -> {
                      if (!transactions.lock.isHeld()) {
                        commitElsewhere();
                        return read();
                      }
                      throw failure;
                    }))
        .isSameAs(failure);
    rig.requireFree();
  }

  @Test
  void anExceptionOfTheBodyIsThrownIfItSawOneState() {
    RuntimeException failure = new IllegalStateException("of the body");
    assertThatThrownBy(
            () ->
                transactions.read(
                    () -> {
                      runs++;
                      throw failure;
                    }))
        .isSameAs(failure);
    assertThat(runs).isEqualTo(1);
  }

  @Test
  void anExceptionOfABodyThatSawTwoStatesIsNotThrown() throws Exception {
    assertThat(
            transactions.read(
                () -> {
                  if (++runs == 1) {
                    commitElsewhere();
                    throw new IllegalStateException("because of two states");
                  }
                  return "result";
                }))
        .isEqualTo("result");
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void aReadInsideAReadBelongsToIt() throws Exception {
    long result =
        transactions.read(
            () -> {
              runs++;
              long first = read();
              if (runs == 1) {
                commitElsewhere();
              }
              return first * 100 + transactions.read(this::read);
            });
    assertThat(result).isEqualTo(101);
    assertThat(runs).isEqualTo(2);
  }

  @Test
  void aReadInsideATransactionSeesIt() throws Exception {
    transactions.begin();
    rig.memory.putLong(Stripes.NONE, AT, 9);
    assertThat(
            transactions.<Long, RuntimeException>read(
                () -> {
                  assertThat(transactions.inView()).isFalse();
                  return read();
                }))
        .isEqualTo(9);
    rig.rollBack();
  }

  @Test
  void aViewBelongsToItsThread() throws Exception {
    CountDownLatch open = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(1);
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    transactions.read(
                        () -> {
                          open.countDown();
                          Limit.await(done);
                          return true;
                        });
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
    Limit.await(open);
    assertThat(transactions.inView()).isFalse();
    rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT, 1));
    assertThat(read()).isEqualTo(1);
    done.countDown();
    Limit.join(other);
  }

  @Test
  void noBodyRunsBetweenTheStoresOfACommit() throws Exception {
    long before = transactions.stripes().sequence();
    transactions.stripes().open(new int[0], 0);
    CountDownLatch begun = new CountDownLatch(1);
    boolean[] held = new boolean[1];
    transactions.lock.owner = Thread.currentThread();
    Thread reader =
        Thread.ofPlatform()
            .start(
                () -> {
                  begun.countDown();
                  try {
                    transactions.read(
                        () -> {
                          runs++;
                          held[0] = (transactions.stripes().sequence() & 1) != 0;
                          return read();
                        });
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
    Limit.await(begun);
    Limit.until("it waits for the lock", () -> transactions.lock.waiters() == 1);
    assertThat(runs).isZero();
    transactions.stripes().close(new int[0], 0);
    transactions.lock.owner = null;
    transactions.lock.wakeNext();
    Limit.join(reader);
    assertThat(runs).isEqualTo(1);
    assertThat(held[0]).isFalse();
    assertThat(transactions.stripes().sequence()).isEqualTo(before + 2);
  }

  /** Virtual threads that read, as many as carriers run them, let another one run. */
  private void requireCarriersAreShared(Runnable read) throws Exception {
    int carriers =
        Integer.getInteger(
            "jdk.virtualThreadScheduler.parallelism", Runtime.getRuntime().availableProcessors());
    AtomicBoolean ran = new AtomicBoolean();
    CountDownLatch reading = new CountDownLatch(carriers);
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < carriers; i++) {
      readers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    reading.countDown();
                    Limit.spinUntil(
                        "another thread runs",
                        () -> {
                          read.run();
                          return ran.get();
                        });
                  }));
    }
    Limit.await(reading);
    Limit.join(Thread.ofVirtual().start(() -> ran.set(true)));
    for (Thread reader : readers) {
      Limit.join(reader);
    }
  }

  private void readBriefly() {
    try {
      transactions.read(this::read);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void readersLetTheThreadRunThatHoldsTheLock() throws Exception {
    transactions.lock.owner = Thread.currentThread();
    requireCarriersAreShared(this::readBriefly);
    requireCarriersAreShared(transactions::beforeRead);
    transactions.lock.owner = null;
  }

  @Test
  void readersLetThreadsRunWhoseCommitsAreNotDurable() throws Exception {
    rig.log.immediate = false;
    rig.transact(
        () -> {
          transactions.wantSync(false);
          rig.memory.putLong(Stripes.NONE, AT, 1);
        });
    requireCarriersAreShared(this::readBriefly);
    requireCarriersAreShared(transactions::beforeRead);
  }
}
