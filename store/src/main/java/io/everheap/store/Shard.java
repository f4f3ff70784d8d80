package io.everheap.store;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.memory.Medium;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A heap and the turn of its writers. All writes of a shard run in the thread that has the turn. A
 * thread that finds the turn taken queues its write; the thread that has the turn runs all queued
 * writes as one transaction before it gives the turn up. So writes that wait together cost one
 * fence or one sync, no thread belongs to a shard, and a write without competition costs a
 * compare-and-set.
 *
 * <p>If commits wait for a disk, they do so without the turn, so that the next ones can join the
 * same sync.
 */
final class Shard {
  /** Most writes of one transaction. */
  private static final int BATCH = 256;

  /** Batches that one thread runs for others before a waiting thread has to take over. */
  private static final int ROUNDS = 8;

  private static final Durability LATER = Durability.async(Duration.ofHours(1));
  private static final VarHandle OWNER;
  private static final VarHandle INBOX;
  private static final VarHandle VERSION;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(Shard.class, "owner", Thread.class);
      INBOX = lookup.findVarHandle(Shard.class, "inbox", Operation.class);
      VERSION = lookup.findVarHandle(Shard.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final int index;
  final Heap heap;
  private final Medium medium;

  /** Whether commits wait for a disk. */
  private final boolean waits;

  private final int limit;

  @SuppressWarnings("UnusedVariable") // by OWNER
  private volatile @Nullable Thread owner;

  /** Queued writes, the newest first. */
  @SuppressWarnings("UnusedVariable") // by INBOX
  private volatile @Nullable Operation inbox;

  /** Odd while a thread has the turn. Stored by that thread only. */
  private long version;

  /** Writes taken from the inbox, the oldest first. Guarded by the turn; empty without a turn. */
  private @Nullable Operation pending;

  /** Asynchronous writes in the queue. */
  private final AtomicInteger queued = new AtomicInteger();

  private long batches; // guarded by the turn
  private long batched; // guarded by the turn

  Shard(int index, Heap heap, Medium medium, int limit) {
    this.index = index;
    this.heap = heap;
    this.medium = medium;
    this.waits = !medium.byteAddressable() && heap.durability() instanceof Durability.Sync;
    this.limit = limit;
  }

  /** Runs a write that is atomic by itself, alone or with others; returns when it is durable. */
  <T extends @Nullable Object> T execute(Supplier<T> write) {
    Thread self = Thread.currentThread();
    if (tryAcquireIdle(self)) {
      T result;
      try {
        result = commit(write);
      } finally {
        release();
      }
      awaitDurable();
      return result;
    }
    return enqueue(write, self);
  }

  @SuppressWarnings({"unchecked", "NullAway"}) // the result of the write
  private <T extends @Nullable Object> T enqueue(Supplier<T> write, Thread self) {
    requireOutside(self);
    Operation operation = new Operation(write, self, null);
    push(operation);
    if (tryAcquire(self)) {
      release(); // runs it
    }
    if (operation.await() == Operation.State.LEADS) {
      release(); // runs it first
    }
    rethrow(operation.failure);
    awaitDurable();
    return (T) operation.result;
  }

  /**
   * Queues a write and returns; runs it if no thread has the turn. While too many are queued, it
   * waits like a write that is not asynchronous.
   */
  @SuppressWarnings({"unchecked", "rawtypes"}) // the result of the write
  <T extends @Nullable Object> CompletableFuture<T> submit(Supplier<T> write) {
    Thread self = Thread.currentThread();
    requireOutside(self);
    if (!waits && tryAcquireIdle(self)) {
      try {
        return CompletableFuture.completedFuture(commit(write));
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      } finally {
        release();
      }
    }
    CompletableFuture<@Nullable Object> future = new CompletableFuture<>();
    if (queued.get() >= limit) {
      inTurns(List.of(this), () -> true);
    }
    push(new Operation(write, null, future));
    if (tryAcquire(self)) {
      release();
    }
    return (CompletableFuture) future;
  }

  /** Whether the calling thread has the turn. */
  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  boolean isOwned() {
    return owner == Thread.currentThread();
  }

  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  private void requireOutside(Thread self) {
    if (owner == self) {
      throw new IllegalStateException(
          "a write of the store inside another one, or inside of ShardedStore.read");
    }
  }

  /**
   * Does something in the turns of shards, in the order of their indexes. What the queued writes
   * complete runs code of the program, so it waits until the thread has none of the turns.
   */
  static <T extends @Nullable Object> T inTurns(List<Shard> shards, Supplier<T> action) {
    List<Runnable> completions = new ArrayList<>();
    int acquired = 0;
    try {
      for (Shard shard : shards) {
        shard.acquire(completions);
        acquired++;
      }
      return action.get();
    } finally {
      for (Shard shard : shards.subList(0, acquired).reversed()) {
        shard.release(completions);
      }
      completions.forEach(Runnable::run);
    }
  }

  private void acquire(List<Runnable> completions) {
    Thread self = Thread.currentThread();
    if (tryAcquireIdle(self, completions)) {
      return;
    }
    requireOutside(self);
    Operation operation = new Operation(null, self, null);
    push(operation);
    if (tryAcquire(self)) {
      release(completions); // gives the turn to the first thread that waits, perhaps this one
    }
    operation.await(); // it leads
  }

  private boolean tryAcquire(Thread self) {
    if (owner == null && OWNER.compareAndSet(this, (Thread) null, self)) {
      begin();
      return true;
    }
    return false;
  }

  /** Takes the turn if no thread has it and nothing is queued, which may be of this thread. */
  private boolean tryAcquireIdle(Thread self) {
    List<Runnable> completions = new ArrayList<>();
    boolean acquired = tryAcquireIdle(self, completions);
    completions.forEach(Runnable::run);
    return acquired;
  }

  private boolean tryAcquireIdle(Thread self, List<Runnable> completions) {
    if (!tryAcquire(self)) {
      return false;
    }
    if (inbox == null) {
      return true;
    }
    release(completions);
    return false;
  }

  private void begin() {
    VERSION.setOpaque(this, version + 1);
    VarHandle.storeStoreFence();
  }

  /** Commits a write of the thread that has the turn, without waiting for a disk. */
  <T extends @Nullable Object> T commit(Supplier<T> write) {
    return waits ? heap.transact(LATER, write::get) : write.get();
  }

  /** Waits until what was committed is durable, if commits are to be durable. */
  void awaitDurable() {
    if (waits) {
      heap.sync();
    }
  }

  private void release() {
    List<Runnable> completions = new ArrayList<>();
    release(completions);
    completions.forEach(Runnable::run);
  }

  /**
   * Runs what is queued and gives the turn up, or gives it to a thread that waits for it.
   *
   * @param completions gets what completes the writes that ran
   */
  private void release(List<Runnable> completions) {
    Thread self = Thread.currentThread();
    while (true) {
      if ((inbox != null || pending != null) && drain(completions)) {
        return;
      }
      VERSION.setRelease(this, version + 1);
      owner = null;
      if (inbox == null || !tryAcquire(self)) {
        return;
      }
    }
  }

  /** Runs what is queued; returns whether another thread has the turn now. */
  private boolean drain(List<Runnable> completions) {
    for (int round = 0; ; round++) {
      take();
      Operation first = pending;
      if (first == null) {
        return false;
      }
      if (first.action == null) {
        pending = first.next;
        pass(first);
        return true;
      }
      if (round >= ROUNDS && passToWaiter()) {
        return true;
      }
      runBatch(completions);
    }
  }

  /** Gives the turn to a waiting thread; the order of the queue stays. */
  private boolean passToWaiter() {
    for (Operation o = pending; o != null && o.action != null; o = o.next) {
      if (o.waiter != null && !o.waiter.equals(Thread.currentThread())) {
        lead(o);
        return true;
      }
    }
    return false;
  }

  /** The operation stays in the queue; its thread runs it. */
  private void lead(Operation operation) {
    owner = operation.waiter;
    operation.set(Operation.State.LEADS);
  }

  private void pass(Operation operation) {
    VERSION.setRelease(this, version + 1); // readers may come between two owners
    begin();
    lead(operation);
  }

  private void runBatch(List<Runnable> completions) {
    List<Operation> batch = new ArrayList<>();
    Operation o = pending;
    int submitted = 0;
    for (; o != null && o.action != null && batch.size() < BATCH; o = o.next) {
      batch.add(o);
      submitted += o.future == null ? 0 : 1;
    }
    pending = o;
    batches++;
    batched += batch.size();
    if (submitted > 0) {
      queued.addAndGet(-submitted);
    }
    run(batch, completions);
  }

  private void run(List<Operation> batch, List<Runnable> completions) {
    try {
      CompletionStage<?> durable = commit(batch);
      end(batch, durable, completions);
    } catch (RuntimeException | Error e) {
      if (batch.size() > 1) { // the transaction as a whole failed; it may be too large
        for (Operation operation : batch) {
          run(List.of(operation), completions);
        }
      } else {
        batch.getFirst().failure = e;
        end(batch, null, completions);
      }
    }
  }

  /** Commits writes in one transaction; returns what completes when they are durable, or null. */
  private @Nullable CompletionStage<?> commit(List<Operation> batch) {
    if (!waits) {
      heap.transact(() -> batch.forEach(Operation::run));
      return null;
    }
    if (batch.stream().allMatch(operation -> operation.future == null)) {
      heap.transact(LATER, () -> batch.forEach(Operation::run));
      return null; // each waits by itself
    }
    return heap.transactAsync(
        () -> {
          batch.forEach(Operation::run);
          return true;
        });
  }

  private static void end(
      List<Operation> batch, @Nullable CompletionStage<?> durable, List<Runnable> completions) {
    for (Operation operation : batch) {
      if (operation.future == null) {
        operation.set(Operation.State.DONE);
      } else if (durable == null) {
        completions.add(() -> complete(operation, null));
      } else {
        completions.add(
            () -> durable.whenComplete((nothing, failure) -> complete(operation, failure)));
      }
    }
  }

  private static void complete(Operation operation, @Nullable Throwable failed) {
    CompletableFuture<@Nullable Object> future = operation.future;
    Throwable failure = operation.failure != null ? operation.failure : failed;
    if (future == null) {
      return;
    }
    if (failure != null) {
      future.completeExceptionally(failure);
    } else {
      future.complete(operation.result);
    }
  }

  private void push(Operation operation) {
    if (operation.future != null) {
      queued.incrementAndGet();
    }
    Operation head;
    do {
      head = inbox;
      operation.next = head;
    } while (!INBOX.compareAndSet(this, head, operation));
  }

  /** Appends the inbox to the pending writes, the oldest first. */
  private void take() {
    if (inbox == null) {
      return;
    }
    Operation newest = (Operation) INBOX.getAndSet(this, (Operation) null);
    Operation oldest = null;
    while (newest != null) {
      Operation before = newest.next;
      newest.next = oldest;
      oldest = newest;
      newest = before;
    }
    if (pending == null) {
      pending = oldest;
      return;
    }
    Operation last = pending;
    while (last.next != null) {
      last = last.next;
    }
    last.next = oldest;
  }

  /** A number that is even while no thread has the turn; the same number means: no write since. */
  long version() {
    return (long) VERSION.getAcquire(this);
  }

  /** Writes that ran together with others, and the transactions in which they ran. */
  long[] batches() {
    return inTurns(List.of(this), () -> new long[] {batches, batched});
  }

  /** Closes the heap; in a turn. If that fails, the medium is closed or still needed. */
  void close() {
    heap.close();
    medium.close();
  }

  private static void rethrow(@Nullable Throwable failure) {
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
  }
}
