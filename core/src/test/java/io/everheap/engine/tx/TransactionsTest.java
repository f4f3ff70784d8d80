package io.everheap.engine.tx;

import static io.everheap.engine.tx.TransactionsRig.AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.engine.log.KeptLog;
import io.everheap.error.EverheapException;
import io.everheap.error.LockTimeoutException;
import io.everheap.error.OutsideTransactionException;
import io.everheap.error.ReadOnlyException;
import io.everheap.error.ReplicationException;
import io.everheap.error.TooLargeException;
import io.everheap.log.RemoteCopies;
import io.everheap.support.Limit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How transactions begin, nest and end, with the log, the copies and the hooks. */
class TransactionsTest {
  private static final String FAULT = "a fault occurred in an unsafe memory access operation";

  private TransactionsRig rig = new TransactionsRig();
  private Transactions transactions = rig.transactions;
  private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void close() {
    rig.close();
  }

  private void use(TransactionsRig other) {
    rig.close();
    rig = other;
    transactions = rig.transactions;
  }

  private void store(long value) {
    rig.memory.putLong(Stripes.NONE, AT, value);
  }

  private long stored() {
    return rig.memory.getLong(AT);
  }

  // ---- Begin and end --------------------------------------------------------------------------

  @Test
  void aBodyIsCommittedAndItsResultReturned() {
    assertThat(
            transactions.<String, RuntimeException>call(
                () -> {
                  assertThat(transactions.isWriter()).isTrue();
                  store(1);
                  return "result";
                }))
        .isEqualTo("result");
    assertThat(stored()).isEqualTo(1);
    transactions.run(() -> store(2));
    assertThat(stored()).isEqualTo(2);
    rig.requireFree();
    assertThat(transactions.commits()).isEqualTo(2);
    assertThat(transactions.aborts()).isZero();
    rig.requireReplayed();
  }

  @Test
  void aBodyThatFailsIsRolledBackAndItsExceptionThrown() {
    RuntimeException failure = new IllegalStateException("of the body");
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      store(1);
                      throw failure;
                    }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    rig.requireFree();
    assertThatThrownBy(
            () ->
                transactions.call(
                    () -> {
                      store(1);
                      throw failure;
                    }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    rig.requireFree();
    assertThat(stored()).isZero();
    assertThat(transactions.aborts()).isEqualTo(2);
    assertThat(transactions.commits()).isZero();
    assertThat(rig.log.parts).isEmpty();
    assertThat(rig.monitor.poisonedBy).isEmpty();
  }

  @Test
  void eachTransactionHasItsNumber() {
    transactions.begin();
    long first = transactions.serial();
    transactions.begin();
    assertThat(transactions.serial()).isEqualTo(first);
    rig.commit();
    rig.commit();
    transactions.begin();
    assertThat(transactions.serial()).isGreaterThan(first);
    rig.rollBack();
  }

  @Test
  void levelsNestAndEndOneByOne() {
    transactions.begin();
    assertThat(transactions.depth()).isEqualTo(1);
    for (int depth = 2; depth < 40; depth++) {
      store(depth);
      transactions.begin();
      assertThat(transactions.depth()).isEqualTo(depth);
    }
    for (int depth = 38; depth >= 1; depth--) {
      store(-depth);
      if (depth % 2 == 0) {
        rig.commit();
        assertThat(stored()).isEqualTo(-depth);
      } else {
        rig.rollBack();
        assertThat(stored()).isEqualTo(depth + 1);
      }
      assertThat(transactions.depth()).isEqualTo(depth);
      assertThat(transactions.isWriter()).isTrue();
    }
    rig.commit();
    assertThat(stored()).isEqualTo(2);
    assertThat(transactions.commits()).isEqualTo(1);
    assertThat(transactions.aborts()).isZero();
    rig.requireFree();
    rig.requireReplayed();
  }

  @Test
  void anInnerRollbackIsOneOfTheParticipantAndOfReaders() {
    transactions.begin();
    rig.participant.mark = 17;
    transactions.begin();
    rig.participant.mark = 18;
    long before = transactions.lock.frees();
    rig.rollBack();
    assertThat(rig.participant.calls).containsExactly("rollback to 17");
    assertThat(transactions.lock.isStill(before)).isFalse();
    transactions.begin();
    before = transactions.lock.frees();
    rig.commit();
    assertThat(rig.participant.calls).hasSize(1);
    assertThat(transactions.lock.isStill(before)).isTrue();
    rig.rollBack();
    assertThat(rig.participant.calls).containsExactly("rollback to 17", "rollback to 0", "reset");
    assertThat(transactions.lock.isStill(before)).isFalse();
  }

  @Test
  void theParticipantPreparesAndIsReset() {
    rig.transact(() -> store(1));
    assertThat(rig.participant.calls).containsExactly("prepare", "applied", "reset");
    rig.participant.calls.clear();
    rig.transact(() -> {});
    assertThat(rig.participant.calls).containsExactly("prepare", "reset");
  }

  @Test
  void theMonitorGetsTheLsnAfterEachRecord() {
    rig.transact(() -> store(1));
    rig.transact(() -> {});
    rig.transact(() -> store(2));
    assertThat(rig.monitor.committed).containsExactly(KeptLog.START + 32, KeptLog.START + 64);
  }

  @Test
  void theApplyChangesTheSequenceOfReaders() {
    long before = transactions.stripes().sequence();
    boolean[] open = new boolean[1];
    rig.participant.applied =
        () -> open[0] = (transactions.stripes().sequence() & 1) != 0 || stored() != 1;
    rig.transact(() -> store(1));
    assertThat(open[0]).as("applied() comes after the apply").isFalse();
    assertThat(transactions.stripes().sequence()).isEqualTo(before + 2);
  }

  @Test
  void anEndOutsideOfATransactionIsRefused() {
    assertThatExceptionOfType(OutsideTransactionException.class)
        .isThrownBy(() -> transactions.end(true));
    assertThatExceptionOfType(OutsideTransactionException.class)
        .isThrownBy(() -> transactions.endAsync());
    for (Runnable use :
        List.<Runnable>of(
            transactions::depth,
            transactions::serial,
            transactions::hasSnapshot,
            () -> transactions.snapshot(1 << 20),
            () -> transactions.wantSync(true),
            () -> transactions.onCommit(() -> ran.add("commit")),
            () -> transactions.onAbort(() -> ran.add("abort")),
            transactions::requireWriter)) {
      assertThatExceptionOfType(OutsideTransactionException.class).isThrownBy(use::run);
    }
    rig.transact(() -> {});
    rig.rolledBack(() -> transactions.requireWriter());
    assertThat(ran).isEmpty();
  }

  @Test
  void theLockIsFreeForTheNextWriterAfterEachEnd() throws Exception {
    handOver(() -> rig.transact(this::untilAnotherWaits));
    handOver(() -> rig.rolledBack(this::untilAnotherWaits));
    handOver(
        () -> {
          transactions.begin();
          untilAnotherWaits();
          transactions.lock.endsDue++;
          var _ = transactions.endAsync();
        });
  }

  /**
   * Runs a transaction several times while another thread waits for the lock. A thread that nobody
   * wakes checks the lock once in a second, so a wake-up that is missing exceeds the limit.
   */
  private void handOver(Runnable transaction) throws Exception {
    Limit.join(
        Thread.ofPlatform()
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    CountDownLatch over = new CountDownLatch(1);
                    next =
                        Thread.ofPlatform()
                            .unstarted(
                                () -> {
                                  transactions.lock.lock(Thread.currentThread());
                                  transactions.lock.owner = null;
                                  over.countDown();
                                });
                    transaction.run();
                    try {
                      Limit.await(over);
                    } catch (InterruptedException e) {
                      return;
                    }
                  }
                }));
  }

  private volatile Thread next = Thread.currentThread();

  private void untilAnotherWaits() {
    next.start();
    Limit.spinUntil("the next thread waits", () -> next.getState() == Thread.State.TIMED_WAITING);
  }

  @Test
  void aWriterThatWaitsTooLongGetsAnExceptionAndNothingElse() throws Exception {
    use(new TransactionsRig(1 << 20, 1_000_000, true, false));
    transactions.begin();
    CompletableFuture<Throwable> outcome = new CompletableFuture<>();
    Limit.join(
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    transactions.begin();
                    outcome.complete(new AssertionError("it began"));
                  } catch (RuntimeException | Error e) {
                    outcome.complete(e);
                  }
                }));
    assertThat(Limit.get(outcome)).isInstanceOf(LockTimeoutException.class);
    assertThat(transactions.isWriter()).isTrue();
    rig.commit();
    rig.requireFree();
  }

  // ---- The gate, replicas, views, reads
  // ----------------------------------------------------------

  @Test
  void aShutGateIsAwaitedWithoutTheLock() {
    rig.transact(() -> {});
    assertThat(rig.monitor.gateCalls).isZero();
    transactions.shutGate(true);
    rig.monitor.awaitGate =
        () -> {
          assertThat(transactions.lock.isHeld()).isFalse();
          if (rig.monitor.gateCalls == 3) {
            transactions.shutGate(false);
          }
        };
    transactions.begin();
    assertThat(transactions.isWriter()).isTrue();
    assertThat(transactions.lock.isHeldBy(Thread.currentThread())).isTrue();
    assertThat(rig.monitor.gateCalls).isEqualTo(3);
    transactions.shutGate(true);
    transactions.begin(); // a nested level
    assertThat(transactions.depth()).isEqualTo(2);
    rig.commit();
    rig.commit();
    assertThat(rig.monitor.gateCalls).isEqualTo(3);
    transactions.shutGate(false);
    rig.requireFree();
  }

  @Test
  void aGateThatRefusesLeavesTheLockFree() {
    RuntimeException closed = new IllegalStateException("closed");
    transactions.shutGate(true);
    rig.monitor.awaitGate =
        () -> {
          if (rig.monitor.gateCalls % 2 == 0) {
            throw closed;
          }
        };
    assertThatThrownBy(transactions::begin).isSameAs(closed);
    assertThat(rig.monitor.gateCalls).isEqualTo(2);
    rig.requireFree();
  }

  @Test
  void aWriterThatFindsTheGateShutAfterItsWaitPassesTheLockOn() throws Exception {
    handOver(
        () -> {
          transactions.lock.owner = next; // held by nobody who releases it
          rig.monitor.awaitGate =
              () -> {
                Limit.spinUntil("the next thread had the lock", () -> !next.isAlive());
                transactions.shutGate(false);
              };
          Thread writer =
              Thread.ofPlatform()
                  .start(
                      () -> {
                        transactions.begin();
                        rig.rollBack();
                      });
          Limit.spinUntil(
              "the writer waits", () -> writer.getState() == Thread.State.TIMED_WAITING);
          transactions.shutGate(true);
          untilAnotherWaits();
          transactions.lock.owner = null;
          transactions.lock.wakeNext();
          Limit.spinUntil("the writer ends", () -> !writer.isAlive());
        });
    assertThat(rig.monitor.gateCalls).isEqualTo(100);
  }

  @Test
  void aShutGateRefusesAlsoWhileAnotherThreadHasTheLock() {
    use(new TransactionsRig(1 << 20, 1_000_000, true, false));
    RuntimeException closed = new IllegalStateException("closed");
    rig.monitor.awaitGate =
        () -> {
          throw closed;
        };
    transactions.shutGate(true);
    transactions.lock.owner = Thread.ofPlatform().unstarted(() -> {});
    assertThatThrownBy(transactions::begin).isSameAs(closed);
    transactions.lock.owner = null;
  }

  @Test
  void onlyTheApplierWritesAReplica() {
    use(new TransactionsRig(1 << 20, 60_000_000_000L, true, true));
    assertThatExceptionOfType(ReadOnlyException.class)
        .isThrownBy(transactions::begin)
        .withMessageContaining("replica");
    rig.requireFree();
    transactions.setApplier(Thread.ofPlatform().unstarted(() -> {}));
    assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(transactions::begin);
    transactions.setApplier(Thread.currentThread());
    long before = transactions.stripes().sample(77);
    rig.transact(() -> store(1));
    assertThat(stored()).isEqualTo(1);
    assertThat(transactions.stripes().valid(77, before)).as("every stripe changes").isFalse();
    transactions.setApplier(null);
    assertThatExceptionOfType(ReadOnlyException.class).isThrownBy(transactions::begin);
  }

  @Test
  void aWriteInsideAReadIsRefused() throws Exception {
    transactions.read(
        () -> {
          assertThat(transactions.inView()).isTrue();
          assertThatIllegalStateException()
              .isThrownBy(transactions::begin)
              .withMessageContaining("use Heap.transact");
          return true;
        });
    assertThat(transactions.inView()).isFalse();
    transactions.exclusively(
        () -> {
          assertThatIllegalStateException()
              .isThrownBy(transactions::begin)
              .withMessageContaining("this thread reads");
          return true;
        });
    rig.requireFree();
  }

  @Test
  void aReadUnderTheLockSeesItsTransactionAndNeedsAReadableHeap() {
    rig.transact(
        () -> {
          store(3);
          assertThat(transactions.<Long, RuntimeException>exclusively(this::stored)).isEqualTo(3);
        });
    assertThat(
            transactions.<Boolean, RuntimeException>exclusively(() -> transactions.lock.isHeld()))
        .isTrue();
    RuntimeException closed = new IllegalStateException("closed");
    rig.monitor.checkReadable =
        () -> {
          throw closed;
        };
    transactions.requireReadable();
    transactions.shutGate(true);
    assertThatThrownBy(transactions::requireReadable).isSameAs(closed);
    assertThatThrownBy(() -> transactions.exclusively(() -> ran.add("read"))).isSameAs(closed);
    assertThat(ran).isEmpty();
    rig.requireFree();
  }

  @Test
  void quietActionsRunWhileNoTransactionDoes() {
    transactions.quiesced(() -> ran.add("quiesced " + transactions.lock.isHeld()));
    assertThat(transactions.tryQuiesced(() -> ran.add("tried " + transactions.lock.isHeld())))
        .isTrue();
    assertThat(ran).containsExactly("quiesced true", "tried true");
    transactions.lock.owner = Thread.ofPlatform().unstarted(() -> {});
    assertThat(transactions.tryQuiesced(() -> ran.add("not"))).isFalse();
    transactions.lock.owner = null;
    assertThat(ran).hasSize(2);
    transactions.requireOutside("close");
    transactions.begin();
    assertThatIllegalStateException()
        .isThrownBy(() -> transactions.requireOutside("close"))
        .withMessage("close inside a transaction or a read");
    rig.rollBack();
  }

  @Test
  void settlingWaitsForTheRunningTransaction() throws Exception {
    transactions.begin();
    AtomicBoolean settled = new AtomicBoolean();
    Thread other =
        Thread.ofPlatform()
            .start(
                () -> {
                  transactions.settle();
                  settled.set(true);
                });
    Limit.until("it waits", () -> transactions.lock.waiters() == 1);
    assertThat(settled).isFalse();
    rig.rollBack();
    Limit.join(other);
    rig.requireFree();
  }

  // ---- Durability
  // --------------------------------------------------------------------------------

  @Test
  void aCommitWaitsUntilItIsDurableIfItIsSynchronous() {
    rig.log.immediate = false;
    rig.transact(() -> store(1));
    assertThat(rig.log.awaited).containsExactly(KeptLog.START + 32);
    rig.transact(
        () -> {
          transactions.wantSync(false);
          store(2);
        });
    assertThat(rig.log.awaited).hasSize(1);
    rig.transact(() -> {}); // may have read the commit before it
    assertThat(rig.log.awaited).containsExactly(KeptLog.START + 32, KeptLog.START + 64);
    rig.rolledBack(() -> store(3));
    assertThat(rig.log.awaited).hasSize(2);
  }

  @Test
  void aNestedLevelCanOnlyTurnTheWaitOn() {
    use(new TransactionsRig(1 << 20, 60_000_000_000L, false, false));
    rig.transact(() -> store(1));
    assertThat(rig.log.awaited).isEmpty();
    for (boolean wanted : new boolean[] {false, true}) {
      rig.transact(
          () -> {
            store(2);
            transactions.begin();
            transactions.wantSync(wanted);
            rig.commit();
          });
      assertThat(rig.log.awaited).hasSize(wanted ? 1 : 0);
    }
    rig.transact(
        () -> {
          store(3);
          transactions.wantSync(true);
          transactions.begin();
          transactions.wantSync(false);
          rig.commit();
        });
    assertThat(rig.log.awaited).hasSize(2);
    rig.transact(() -> store(4));
    assertThat(rig.log.awaited).as("of this transaction only").hasSize(2);
  }

  /** Copies that a test confirms. */
  private static final class Copies implements RemoteCopies {
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    final List<Consumer<@Nullable EverheapException>> waiting =
        Collections.synchronizedList(new ArrayList<>());
    @Nullable EverheapException failure;
    boolean wanted = true;

    @Override
    public boolean wanted() {
      return wanted;
    }

    @Override
    public void await(long lsn) {
      calls.add("await " + (lsn - KeptLog.START));
      EverheapException thrown = failure;
      if (thrown != null) {
        throw thrown;
      }
    }

    @Override
    public void whenCopied(long lsn, Consumer<@Nullable EverheapException> action) {
      calls.add("when " + (lsn - KeptLog.START));
      waiting.add(action);
    }
  }

  @Test
  void aDurableCommitWaitsForItsCopies() {
    Copies copies = new Copies();
    transactions.copies().set(copies);
    rig.transact(() -> store(1));
    assertThat(copies.calls).containsExactly("await 32");
    rig.transact(
        () -> {
          transactions.wantSync(false);
          store(2);
        });
    assertThat(copies.calls).hasSize(1);
    transactions.copies().set(null);
    rig.transact(() -> store(2));
    assertThat(copies.calls).hasSize(1);
  }

  @Test
  void aVirtualThreadIsWokenOnceItsCommitIsCopied() throws Exception {
    Copies copies = new Copies();
    transactions.copies().set(copies);
    rig.log.immediate = false;
    Thread writer = Thread.ofVirtual().start(() -> rig.transact(() -> store(1)));
    Limit.until("it waits for the sync", () -> rig.log.waiting() == 1);
    assertThat(rig.log.awaited).isEmpty();
    rig.log.sync(null);
    Limit.until("it waits for the copies", () -> copies.waiting.size() == 1);
    assertThat(copies.calls).containsExactly("when 32");
    copies.waiting.getFirst().accept(null);
    Limit.join(writer);
    assertThat(copies.calls).containsExactly("when 32", "await 32");
    copies.wanted = false;
    Limit.join(Thread.ofVirtual().start(() -> rig.transact(() -> store(2))));
    assertThat(copies.calls).containsExactly("when 32", "await 32", "await 64");
  }

  @Test
  void aCommitThatIsNotCopiedStandsAndItsHooksRun() {
    Copies copies = new Copies();
    copies.failure = new ReplicationException("no copies");
    transactions.copies().set(copies);
    RuntimeException ofTheHook = new IllegalStateException("of the hook");
    assertThatThrownBy(
            () ->
                rig.transact(
                    () -> {
                      store(1);
                      transactions.onCommit(hook("commit"));
                      transactions.onCommit(
                          () -> {
                            throw ofTheHook;
                          });
                      transactions.onAbort(hook("abort"));
                    }))
        .isSameAs(copies.failure)
        .hasSuppressedException(ofTheHook);
    assertThat(ran).containsExactly("commit");
    assertThat(stored()).isEqualTo(1);
    rig.requireFree();
  }

  // ---- Hooks
  // -------------------------------------------------------------------------------------

  private Runnable hook(String name) {
    return () -> {
      assertThat(transactions.lock.isHeld()).as("hooks run without the lock").isFalse();
      ran.add(name);
    };
  }

  @Test
  void hooksRunAfterTheEndThatTheyAreFor() {
    rig.transact(
        () -> {
          store(1);
          transactions.onCommit(hook("commit"));
          transactions.onAbort(hook("abort"));
        });
    assertThat(ran).containsExactly("commit");
    ran.clear();
    rig.rolledBack(
        () -> {
          store(1);
          transactions.onCommit(hook("commit"));
          transactions.onAbort(hook("abort"));
        });
    assertThat(ran).containsExactly("abort");
  }

  @Test
  void theHooksOfALevelAreThoseOfItsOwnRollback() {
    transactions.begin();
    transactions.onCommit(() -> ran.add("outer commit"));
    transactions.onAbort(() -> ran.add("outer abort"));
    transactions.begin();
    transactions.onCommit(() -> ran.add("inner commit"));
    transactions.onAbort(() -> ran.add("inner abort"));
    rig.rollBack();
    assertThat(ran).containsExactly("inner abort");
    transactions.begin();
    transactions.onCommit(() -> ran.add("kept commit"));
    transactions.onAbort(() -> ran.add("kept abort"));
    rig.commit();
    assertThat(ran).hasSize(1);
    rig.commit();
    assertThat(ran).containsExactly("inner abort", "outer commit", "kept commit");
    ran.clear();
    rig.transact(() -> {});
    assertThat(ran).isEmpty();
  }

  @Test
  void theFailureOfAHookIsThrownAfterTheCommit() {
    RuntimeException failure = new IllegalStateException("of the hook");
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      store(1);
                      transactions.onCommit(
                          () -> {
                            throw failure;
                          });
                    }))
        .isSameAs(failure);
    assertThat(stored()).isEqualTo(1);
    rig.requireFree();
    RuntimeException ofTheBody = new IllegalStateException("of the body");
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      transactions.onAbort(
                          () -> {
                            throw failure;
                          });
                      throw ofTheBody;
                    }))
        .isSameAs(ofTheBody)
        .hasSuppressedException(failure);
  }

  @Test
  void aHookMayThrowTheFailureOfItsBody() {
    RuntimeException failure = new IllegalStateException("of both");
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      transactions.onAbort(
                          () -> {
                            throw failure;
                          });
                      throw failure;
                    }))
        .isSameAs(failure)
        .hasNoSuppressedExceptions();
    rig.requireFree();
  }

  // ---- Asynchronous commits
  // ----------------------------------------------------------------------

  private CompletionStage<Void> async() {
    transactions.begin();
    store(stored() + 1);
    transactions.onCommit(() -> ran.add("commit in " + Thread.currentThread().getName()));
    transactions.onAbort(hook("abort"));
    transactions.lock.endsDue++;
    return transactions.endAsync();
  }

  @Test
  void anAsynchronousCommitCompletesWhenItIsDurable() throws Exception {
    rig.log.immediate = false;
    CompletableFuture<Void> done = async().toCompletableFuture();
    rig.requireFree();
    assertThat(stored()).isEqualTo(1);
    assertThat(rig.log.waiting()).isEqualTo(1);
    assertThat(done).isNotDone();
    assertThat(ran).isEmpty();
    rig.log.sync(null);
    Limit.get(done);
    assertThat(ran).containsExactly("commit in everheap-completions");
  }

  @Test
  void anAsynchronousCommitThatIsNotDurableFailsWithoutItsHooks() {
    rig.log.immediate = false;
    CompletableFuture<Void> done = async().toCompletableFuture();
    EverheapException failure = new ReplicationException("of the log");
    rig.log.sync(failure);
    assertThatThrownBy(() -> Limit.get(done))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isSameAs(failure);
    assertThat(ran).isEmpty();
  }

  @Test
  void anAsynchronousCommitWaitsForItsCopies() throws Exception {
    Copies copies = new Copies();
    transactions.copies().set(copies);
    CompletableFuture<Void> done = async().toCompletableFuture();
    assertThat(copies.calls).containsExactly("when 32");
    assertThat(done).isNotDone();
    copies.waiting.getFirst().accept(null);
    Limit.get(done);
    assertThat(ran).hasSize(1);

    CompletableFuture<Void> second = async().toCompletableFuture();
    EverheapException missing = new ReplicationException("no copies");
    copies.waiting.getLast().accept(missing);
    assertThatThrownBy(() -> Limit.get(second)).cause().isSameAs(missing);
    assertThat(ran).as("the commit stands").hasSize(2);

    rig.log.immediate = false;
    CompletableFuture<Void> third = async().toCompletableFuture();
    EverheapException failure = new ReplicationException("of the log");
    rig.log.sync(failure);
    assertThatThrownBy(() -> Limit.get(third)).cause().isSameAs(failure);
    assertThat(copies.calls).as("what is not durable here is not awaited").hasSize(2);
    assertThat(ran).hasSize(2);
  }

  @Test
  void theThreadForCompletionsEndsWithTheTransactions() throws Exception {
    Thread[] thread = new Thread[1];
    transactions.begin();
    transactions.onCommit(() -> thread[0] = Thread.currentThread());
    transactions.lock.endsDue++;
    Limit.get(transactions.endAsync().toCompletableFuture());
    transactions.close();
    Limit.join(thread[0]);
  }

  // ---- Failures
  // ----------------------------------------------------------------------------------

  @Test
  void aRecordOfTheMaximumSizeIsAccepted() {
    use(new TransactionsRig(1 << 12, 60_000_000_000L, true, false));
    int words = (1 << 12) / 8 - 1; // one run of one entry word
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> rig.transact(() -> rig.participant.fresh = block(AT, words + 1)))
        .withMessageContaining("(EH-TX-TOO-LARGE)")
        .withMessageContaining("needs 4104 bytes");
    rig.requireFree();
    assertThat(rig.log.parts).isEmpty();
    assertThat(rig.log.reserved).isEmpty();
    assertThat(rig.participant.calls).containsExactly("prepare", "rollback to 0", "reset");
    rig.transact(() -> rig.participant.fresh = block(AT, words));
    assertThat(rig.log.reserved).containsExactly(1L << 12);
    assertThat(transactions.commits()).isEqualTo(1);
  }

  /** As many lines as the limit allows, and one that is refused; the program catches that. */
  private void storeTooMuch() {
    for (int i = 0; i < 64; i++) {
      rig.memory.putLong(Stripes.NONE, AT + 64L * i, i + 1);
    }
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> rig.memory.putLong(Stripes.NONE, AT + 64L * 64, 65))
        .withMessageContaining("(EH-TX-TOO-LARGE)");
  }

  @Test
  void aTransactionOfWhichAStoreWasRefusedIsRolledBackThoughItIsCommitted() {
    use(new TransactionsRig(64 * 64, 60_000_000_000L, true, false));
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(() -> rig.transact(this::storeTooMuch))
        .withMessageContaining("(EH-TX-TOO-LARGE)");
    rig.requireFree();
    assertThat(rig.log.parts).isEmpty();
    assertThat(rig.home.getLong(AT)).isZero();
    rig.transact(() -> rig.memory.putLong(Stripes.NONE, AT, 7));
    assertThat(rig.home.getLong(AT)).isEqualTo(7);
  }

  @Test
  void aLevelOfWhichAStoreWasRefusedIsRolledBackAlone() {
    use(new TransactionsRig(64 * 64, 60_000_000_000L, true, false));
    rig.transact(
        () -> {
          rig.memory.putLong(Stripes.NONE, AT, 7);
          transactions.begin();
          storeTooMuch();
          transactions.lock.endsDue++;
          assertThatExceptionOfType(TooLargeException.class)
              .isThrownBy(() -> transactions.end(true))
              .withMessageContaining("(EH-TX-TOO-LARGE)");
          assertThat(transactions.depth()).isEqualTo(1);
          rig.memory.putLong(Stripes.NONE, AT + 8, 8);
        });
    assertThat(rig.home.getLong(AT)).isEqualTo(7);
    assertThat(rig.home.getLong(AT + 8)).isEqualTo(8);
    assertThat(rig.home.getLong(AT + 64)).isZero();
  }

  /** Whether that level is committed or rolled back. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLevelAfterARefusedStoreDoesNotMakeItsTransactionCommit(boolean commit) {
    use(new TransactionsRig(64 * 64, 60_000_000_000L, true, false));
    assertThatExceptionOfType(TooLargeException.class)
        .isThrownBy(
            () ->
                rig.transact(
                    () -> {
                      storeTooMuch();
                      transactions.begin();
                      transactions.lock.endsDue++;
                      transactions.end(commit);
                      assertThat(transactions.depth()).isEqualTo(1);
                    }))
        .withMessageContaining("(EH-TX-TOO-LARGE)");
    rig.requireFree();
    assertThat(rig.log.parts).isEmpty();
    assertThat(rig.home.getLong(AT)).isZero();
  }

  private static Consumer<CommitParticipant.FreshBlocks> block(long address, int words) {
    return sink -> sink.block(address, words * 8L, -1);
  }

  @Test
  void aCommitThatFailsBeforeItsRecordIsRolledBackWithItsHooks() {
    RuntimeException full = new IllegalStateException("the disk is full");
    RuntimeException ofTheHook = new IllegalStateException("of the hook");
    rig.log.refusal = full;
    assertThatThrownBy(
            () ->
                rig.transact(
                    () -> {
                      store(1);
                      transactions.onCommit(hook("commit"));
                      transactions.onAbort(hook("abort"));
                      transactions.onAbort(
                          () -> {
                            throw ofTheHook;
                          });
                    }))
        .isSameAs(full)
        .hasSuppressedException(ofTheHook);
    assertThat(ran).containsExactly("abort");
    assertThat(stored()).isZero();
    assertThat(transactions.aborts()).isEqualTo(1);
    rig.requireFree();
    assertThat(rig.monitor.poisonedBy).isEmpty();
    rig.participant.prepare =
        () -> {
          throw full;
        };
    assertThatThrownBy(() -> rig.transact(() -> store(1))).isSameAs(full);
    assertThatThrownBy(this::async).isSameAs(full);
    rig.requireFree();
    assertThat(rig.monitor.poisonedBy).isEmpty();
  }

  @Test
  void aFailureAfterTheRecordWasBegunPoisons() {
    RuntimeException failure = new IllegalStateException("of the log");
    rig.log.failure = failure;
    assertThatThrownBy(() -> rig.transact(() -> store(1))).isSameAs(failure);
    assertThat(rig.monitor.poisonedBy).containsExactly(failure);
    assertThat(transactions.lock.broken).isSameAs(failure);
    rig.requireFree();
    assertThatThrownBy(transactions::begin).isSameAs(rig.monitor.poisoned);
  }

  @Test
  void aRollbackThatFailsPoisons() {
    Error failure = new OutOfMemoryError("while it was undone");
    rig.participant.rollback =
        () -> {
          throw failure;
        };
    assertThatThrownBy(() -> rig.rolledBack(() -> store(1))).isSameAs(failure);
    assertThat(rig.monitor.poisonedBy).containsExactly(failure);
    assertThat(transactions.lock.broken).isSameAs(failure);
    rig.requireFree();
    assertThat(transactions.aborts()).isZero();
  }

  @Test
  void anInnerRollbackThatFailsPoisonsAndTheOuterEndReleasesTheLock() {
    Error failure = new OutOfMemoryError("while it was undone");
    transactions.begin();
    transactions.begin();
    rig.participant.rollback =
        () -> {
          throw failure;
        };
    assertThatThrownBy(rig::rollBack).isSameAs(failure);
    assertThat(rig.monitor.poisonedBy).containsExactly(failure);
    assertThat(transactions.lock.broken).isSameAs(failure);
    assertThat(transactions.isWriter()).as("it counts as outside").isFalse();
    assertThat(transactions.lock.isHeld()).isTrue();
    assertThatThrownBy(rig::commit).isSameAs(rig.monitor.poisoned);
    assertThat(transactions.lock.isHeld()).isFalse();
  }

  @Test
  void theFirstCauseOfABrokenHeapStays() {
    Throwable first = new IllegalStateException("first");
    Error second = new OutOfMemoryError("second");
    transactions.begin();
    transactions.begin();
    rig.participant.rollback =
        () -> {
          transactions.lock.broken = first;
          throw second;
        };
    assertThatThrownBy(rig::rollBack).isSameAs(second);
    assertThat(transactions.lock.broken).isSameAs(first);
    assertThat(rig.monitor.poisonedBy).containsExactly(second);
  }

  @Test
  void aTornParticipantBreaksTheHeapAtEachEnd() {
    rig.participant.torn = true;
    transactions.begin();
    transactions.begin();
    assertThatThrownBy(rig::commit).isSameAs(rig.monitor.poisoned);
    assertThat(transactions.lock.broken).hasMessageContaining("the tables of free space");
    for (boolean commit : new boolean[] {true, false}) {
      use(new TransactionsRig());
      rig.participant.torn = true;
      transactions.begin();
      store(1);
      transactions.lock.endsDue++;
      assertThatThrownBy(() -> transactions.end(commit)).isSameAs(rig.monitor.poisoned);
      assertThat(transactions.lock.broken).hasMessageContaining("the tables of free space");
      assertThat(rig.monitor.poisonedBy).isNotEmpty();
      rig.requireFree();
      assertThat(rig.log.parts).isEmpty();
      assertThat(stored()).isZero();
    }
  }

  @Test
  void aTornWriteSetBreaksTheHeapUnlessAllIsRolledBack() {
    byte[] tooShort = new byte[9];
    transactions.begin();
    transactions.begin();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> rig.memory.putBytes(Stripes.NONE, AT, tooShort, 0, 16));
    assertThatThrownBy(rig::rollBack).isSameAs(rig.monitor.poisoned);
    assertThat(transactions.lock.broken).hasMessageContaining("the write set");

    use(new TransactionsRig());
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(
            () -> transactions.run(() -> rig.memory.putBytes(Stripes.NONE, AT, tooShort, 0, 16)));
    assertThat(transactions.lock.broken).isNull();
    rig.transact(() -> store(1));
    assertThat(stored()).isEqualTo(1);
    rig.requireReplayed();

    transactions.begin();
    assertThatExceptionOfType(IndexOutOfBoundsException.class)
        .isThrownBy(() -> rig.memory.putBytes(Stripes.NONE, AT, tooShort, 0, 16));
    assertThatThrownBy(rig::commit).isSameAs(rig.monitor.poisoned);
    assertThat(transactions.lock.broken).hasMessageContaining("the write set");
    rig.requireFree();
  }

  @Test
  void aFaultOfMappedMemoryPoisons() {
    InternalError fault = new InternalError(FAULT);
    RuntimeException poisoned = new IllegalStateException("poisoned");
    rig.monitor.checkReadable =
        () -> {
          throw poisoned;
        };
    transactions.shutGate(true); // as a poisoned heap does
    assertThatThrownBy(() -> transactions.faulted(fault)).isSameAs(poisoned);
    assertThat(rig.monitor.poisonedBy).containsExactly(fault);
    InternalError other = new InternalError("another");
    assertThat(transactions.faulted(other)).isSameAs(other);
    assertThat(rig.monitor.poisonedBy).hasSize(1);
    transactions.shutGate(false);
    rig.monitor.awaitGate = () -> {};

    rig.participant.prepare =
        () -> {
          transactions.shutGate(true);
          throw fault;
        };
    assertThatThrownBy(() -> rig.transact(() -> store(1))).isSameAs(poisoned);
    assertThat(rig.monitor.poisonedBy).hasSize(2);
    transactions.shutGate(false);
    assertThatThrownBy(this::async).isSameAs(poisoned);
    assertThat(rig.monitor.poisonedBy).hasSize(3);
    transactions.shutGate(false);
    rig.participant.prepare =
        () -> {
          throw other;
        };
    assertThatThrownBy(() -> rig.transact(() -> store(1))).isSameAs(other);
    assertThatThrownBy(this::async).isSameAs(other);
    assertThat(rig.monitor.poisonedBy).hasSize(3);
  }

  @Test
  void aFaultInABodyIsThrownAsThatOfThePoisonedHeap() {
    RuntimeException poisoned = new IllegalStateException("poisoned");
    rig.monitor.checkReadable =
        () -> {
          throw poisoned;
        };
    InternalError fault = new InternalError(FAULT);
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      transactions.shutGate(true);
                      throw fault;
                    }))
        .isSameAs(poisoned);
    assertThat(rig.monitor.poisonedBy).containsExactly(fault);
    transactions.shutGate(false);
    InternalError other = new InternalError("another");
    assertThatThrownBy(
            () ->
                transactions.run(
                    () -> {
                      throw other;
                    }))
        .isSameAs(other);
    assertThat(rig.monitor.poisonedBy).hasSize(1);
  }

  @Test
  void anAsynchronousEndThatCannotRollBackPoisons() {
    Error failure = new OutOfMemoryError("while it was undone");
    rig.participant.prepare =
        () -> {
          throw new IllegalStateException("of the commit");
        };
    rig.participant.rollback =
        () -> {
          throw failure;
        };
    assertThatThrownBy(this::async).isSameAs(failure);
    assertThat(rig.monitor.poisonedBy).containsExactly(failure);
    rig.requireFree();
  }

  @Test
  void aTransactionThatCannotBeEndedIsBroken() {
    transactions.begin();
    transactions.breakIfLost();
    assertThat(rig.monitor.poisonedBy).isEmpty();
    transactions.lock.endsDue = 1;
    assertThatThrownBy(transactions::begin).isSameAs(rig.monitor.poisoned);
    assertThat(rig.monitor.poisonedBy).hasSize(1);
    rig.requireFree();

    use(new TransactionsRig());
    transactions.begin();
    transactions.lock.endsDue = 1;
    transactions.breakIfLost();
    assertThat(rig.monitor.poisonedBy).hasSize(1);
    rig.requireFree();
  }

  @Test
  void aBodyWithALevelThatCouldNotBeEndedPoisons() {
    Transactions.Action<RuntimeException> body =
        () -> {
          transactions.begin();
          store(1);
          transactions.lock.endsDue++; // the call of end failed
        };
    RuntimeException failure = new IllegalStateException("of the body");
    List<Runnable> uses =
        List.of(
            () -> transactions.run(body),
            () ->
                transactions.call(
                    () -> {
                      body.run();
                      return true;
                    }));
    for (Runnable use : uses) {
      assertThatThrownBy(use::run).isSameAs(rig.monitor.poisoned);
      requireLost();
    }
    List<Runnable> failing =
        List.of(
            () ->
                transactions.run(
                    () -> {
                      body.run();
                      throw failure;
                    }),
            () ->
                transactions.call(
                    () -> {
                      body.run();
                      throw failure;
                    }));
    for (Runnable use : failing) {
      assertThatThrownBy(use::run).isSameAs(failure).hasSuppressedException(rig.monitor.poisoned);
      requireLost();
    }
  }

  private void requireLost() {
    assertThat(rig.monitor.poisonedBy)
        .singleElement()
        .satisfies(e -> assertThat(e).hasMessageContaining("could not end its transaction"));
    rig.requireFree();
    use(new TransactionsRig());
  }

  // ---- Collections
  // -------------------------------------------------------------------------------

  @Test
  void theBarrierIsInformedInsideOfATransaction() {
    List<Long> stored = new ArrayList<>();
    StoreBarrier barrier =
        new StoreBarrier() {
          @Override
          public void allocated(long reference, long bytes) {}

          @Override
          public void stored(long reference) {
            stored.add(reference);
          }
        };
    rig.transact(() -> transactions.storing(1));
    transactions.setBarrier(barrier);
    transactions.storing(2);
    rig.transact(() -> transactions.storing(3));
    transactions.setBarrier(null);
    rig.transact(() -> transactions.storing(4));
    assertThat(stored).containsExactly(3L);
  }

  @Test
  void aSnapshotShowsTheStateAtItsBegin() {
    rig.transact(() -> store(1));
    Snapshot[] snapshot = new Snapshot[1];
    rig.transact(
        () -> {
          assertThat(transactions.hasSnapshot()).isFalse();
          snapshot[0] = transactions.snapshot(1 << 20);
          assertThat(transactions.hasSnapshot()).isTrue();
        });
    rig.transact(() -> store(2));
    assertThat(snapshot[0].memory().getLong(AT)).isEqualTo(1);
    assertThat(snapshot[0].savedBytes()).isEqualTo(64);
    transactions.dropSnapshot();
    rig.transact(
        () -> {
          assertThat(transactions.hasSnapshot()).isFalse();
          rig.memory.putLong(Stripes.NONE, AT + 64, 2);
        });
    assertThat(snapshot[0].savedBytes()).isEqualTo(64);
  }

  @Test
  void aFreedBlockIsSavedForTheSnapshot() {
    rig.transact(() -> store(1));
    Snapshot[] snapshot = new Snapshot[1];
    rig.transact(() -> snapshot[0] = transactions.snapshot(1 << 20));
    rig.transact(
        () -> {
          rig.participant.freed = sink -> sink.block(AT, 128);
          rig.memory.putLong(Stripes.NONE, AT + 1024, 2);
        });
    assertThat(snapshot[0].savedBytes()).isEqualTo(128 + 64);
    rig.home.putLong(AT, 77); // as a later block does, without the write set
    assertThat(snapshot[0].memory().getLong(AT)).isEqualTo(1);
    rig.home.putLong(AT, 1);
  }

  // ---- Room in a full heap

  @Test
  void theNextTransactionMakesRoomThatIsWanted() {
    transactions.room().madeBy(() -> rig.transact(() -> ran.add("made")));
    rig.transact(() -> ran.add("first"));
    transactions.room().want();
    rig.transact(() -> ran.add("second"));
    rig.transact(() -> ran.add("third"));
    assertThat(ran).containsExactly("first", "made", "second", "third");
  }

  @Test
  void roomThatIsWantedWhileItIsMadeIsMadeAgain() {
    transactions
        .room()
        .madeBy(
            () -> {
              ran.add("made");
              if (ran.size() == 1) {
                transactions.room().want(); // behind what was looked at
              }
            });
    transactions.room().want();
    rig.transact(() -> ran.add("first"));
    rig.transact(() -> ran.add("second"));
    rig.transact(() -> ran.add("third"));
    assertThat(ran).containsExactly("made", "first", "made", "second", "third");
  }

  @Test
  void aReplicaMakesNoRoomSinceItsPrimaryFreesTheBlocks() {
    use(new TransactionsRig(1 << 24, 60_000_000_000L, true, true));
    transactions.setApplier(Thread.currentThread());
    transactions.room().madeBy(() -> ran.add("made"));
    transactions.room().want();
    rig.transact(() -> ran.add("applied"));
    assertThat(ran).containsExactly("applied");
  }

  // ---- Readers in virtual threads -------------------------------------------------------------

  @Test
  void aReaderDoesNotPauseWhileEverythingIsDurable() throws Exception {
    rig.transact(() -> store(1));
    assertThat(rig.log.durable()).isEqualTo(rig.log.appended());
    assertThat(pausesWhileItReads()).isFalse();
  }

  @Test
  void aReaderPausesWhileACommitIsNotDurable() throws Exception {
    use(new TransactionsRig(1 << 24, 60_000_000_000L, false, false));
    rig.log.immediate = false;
    rig.transact(() -> store(1));
    assertThat(rig.log.durable()).isLessThan(rig.log.appended());
    assertThat(pausesWhileItReads()).isTrue();
  }

  /** A virtual thread that has a permit to park loses it when it pauses. */
  private boolean pausesWhileItReads() throws InterruptedException {
    Thread reader =
        Thread.ofVirtual()
            .start(
                () -> {
                  LockSupport.unpark(Thread.currentThread());
                  long end = System.nanoTime() + 20_000_000;
                  while (System.nanoTime() < end) {
                    transactions.beforeRead();
                  }
                  transactions.beforeRead(); // the thread may not have run until now
                  LockSupport.park(this); // ends at once if the permit is left
                });
    Limit.until(
        "it waits or has ended",
        () -> !reader.isAlive() || reader.getState() == Thread.State.WAITING);
    boolean paused = reader.isAlive();
    LockSupport.unpark(reader);
    Limit.join(reader);
    return paused;
  }
}
