package io.everheap.engine;

import io.everheap.engine.alloc.Allocator;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.tx.HeapMemory;
import io.everheap.engine.tx.Snapshot;
import io.everheap.engine.tx.Stripes;
import io.everheap.engine.tx.Transactions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The part of an open heap that structures and objects are built on: its words, its blocks, its
 * transactions, and a few services. It neither opens nor closes the heap.
 *
 * <p>Contexts of the same open heap are equal. Safe for use by many threads; the objects that it
 * returns have rules of their own.
 */
public class HeapContext {
  private final Services services;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final Transactions transactions;
  private final Signals signals;

  /** The services of an open heap; {@link Engine} implements them. */
  interface Services {
    String location();

    UUID uuid();

    EngineOptions options();

    int extentShift();

    long epoch();

    void sync();

    void housekeeping(Runnable task);

    boolean stopping();

    boolean isNearlyFull();

    Allocator blocksOf(HeapMemory memory);
  }

  HeapContext(
      Services services,
      HeapMemory memory,
      Allocator allocator,
      Transactions transactions,
      Signals signals) {
    this.services = services;
    this.memory = memory;
    this.allocator = allocator;
    this.transactions = transactions;
    this.signals = signals;
  }

  /** Creates a context of the same heap, for subclasses that add to it. */
  protected HeapContext(HeapContext of) {
    this(of.services, of.memory, of.allocator, of.transactions, of.signals);
  }

  /**
   * Creates a context of the same heap as of a snapshot: for reading structures while writers go
   * on. Nothing can be stored through it.
   */
  protected HeapContext(HeapContext of, Snapshot snapshot) {
    this(
        of.services,
        snapshot.memory(),
        of.services.blocksOf(snapshot.memory()),
        of.transactions,
        of.signals);
  }

  /** The location of the heap, for messages. */
  public final String location() {
    return services.location();
  }

  /** Identity of the heap; zero if a damaged heap lost it. */
  public final UUID uuid() {
    return services.uuid();
  }

  /** Loads and stores of the home image. */
  public final HeapMemory memory() {
    return memory;
  }

  /** The blocks of this heap. */
  public final Allocator allocator() {
    return allocator;
  }

  /** The transactions of this heap. */
  public final Transactions transactions() {
    return transactions;
  }

  /** The versions that optimistic readers validate. */
  public final Stripes stripes() {
    return transactions.stripes();
  }

  /** Waiting for, and waking by, commits. */
  public final Signals signals() {
    return signals;
  }

  /** Address of a catalog word, in which the layers above keep references to their tables. */
  public final long catalog(int index) {
    return HomeLayout.catalogWord(index);
  }

  /** Binary logarithm of the size of an extent in bytes. */
  public final int extentShift() {
    return services.extentShift();
  }

  /** The epoch of the heap's log; each opening for writing begins a new one. */
  public final long epoch() {
    return services.epoch();
  }

  /** Whether a commit returns only when it is durable. */
  public final boolean syncs() {
    return services.options().sync();
  }

  /** Whether every value is decoded after it is encoded; see {@link EngineOptions}. */
  public final boolean checksCodecs() {
    return services.options().checkCodecs();
  }

  /** Waits until everything visible is durable. */
  public final void sync() {
    services.sync();
  }

  /** Runs a task of short transactions in the background; the close of the heap drops it. */
  public final void housekeeping(Runnable task) {
    services.housekeeping(task);
  }

  /** Whether the heap can hardly grow, and less than half of it is free. */
  public final boolean isNearlyFull() {
    return services.isNearlyFull();
  }

  /** Whether background tasks should end early, because the heap is being closed. */
  public final boolean stopping() {
    return services.stopping();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return other instanceof HeapContext that && services.equals(that.services);
  }

  @Override
  public final int hashCode() {
    return services.hashCode();
  }
}
