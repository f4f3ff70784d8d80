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
 * What everything that lives in a heap is built on: its words, its blocks, its transactions, and
 * few services. It neither opens nor closes the heap.
 *
 * <p>Contexts of the same open heap are equal. Safe for use by many threads; what it returns has
 * rules of its own.
 */
public class HeapContext {
  private final Services services;
  private final HeapMemory memory;
  private final Allocator allocator;
  private final Transactions transactions;
  private final Signals signals;

  /** What an open heap does for what lives in it. */
  interface Services {
    String location();

    UUID uuid();

    EngineOptions options();

    int extentShift();

    long epoch();

    void sync();

    void housekeeping(Runnable task);

    boolean stopping();

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

  /** The same heap, for a context that knows more of it. */
  protected HeapContext(HeapContext of) {
    this(of.services, of.memory, of.allocator, of.transactions, of.signals);
  }

  /**
   * The same heap with the blocks that it had when a snapshot was taken: for what reads structures
   * while writers go on. Nothing can be stored through it.
   */
  protected HeapContext(HeapContext of, Snapshot snapshot) {
    this(
        of.services,
        snapshot.memory(),
        of.services.blocksOf(snapshot.memory()),
        of.transactions,
        of.signals);
  }

  /** Where the heap is, for messages. */
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

  /** What optimistic readers validate. */
  public final Stripes stripes() {
    return transactions.stripes();
  }

  /** Threads that wait for commits. */
  public final Signals signals() {
    return signals;
  }

  /** Address of a catalog word: where the layers above find what they stored. */
  public final long catalog(int index) {
    return HomeLayout.catalogWord(index);
  }

  /** Binary logarithm of the size of an extent in bytes. */
  public final int extentShift() {
    return services.extentShift();
  }

  /** Number of the opening of the heap, counted from the first. */
  public final long epoch() {
    return services.epoch();
  }

  /** Whether a commit returns only when it is durable. */
  public final boolean syncs() {
    return services.options().sync();
  }

  /** Whether each codec is checked when it encodes. */
  public final boolean checksCodecs() {
    return services.options().checkCodecs();
  }

  /** Waits until everything visible is durable. */
  public final void sync() {
    services.sync();
  }

  /** Runs a task of short transactions in the background; dropped when the heap is closed. */
  public final void housekeeping(Runnable task) {
    services.housekeeping(task);
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
