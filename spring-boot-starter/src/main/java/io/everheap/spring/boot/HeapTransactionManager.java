package io.everheap.spring.boot;

import io.everheap.Heap;
import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import io.everheap.stability.Stable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.InvalidTimeoutException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.TransactionSuspensionNotSupportedException;
import org.springframework.transaction.TransactionUsageException;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.support.CallbackPreferringPlatformTransactionManager;
import org.springframework.transaction.support.SimpleTransactionStatus;
import org.springframework.transaction.support.TransactionCallback;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Makes {@code @Transactional} methods and {@code TransactionTemplate}s transactions of a heap,
 * which are serializable whatever isolation is asked for. An inner method joins; one with {@code
 * NESTED} is undone alone if it throws. A heap runs one transaction at a time, so {@code
 * REQUIRES_NEW} and {@code NOT_SUPPORTED} within one are refused, and so are timeouts, which {@code
 * HeapBuilder.lockTimeout} sets for all. Synchronizations, such as those of
 * {@code @TransactionalEventListener}, are called. Thread-safe.
 *
 * <p>A read-only transaction is a {@link Heap#read}: it waits for no writer, writes are refused,
 * and the method runs again if a commit intervenes, so it must do nothing but read.
 *
 * <p>A transaction is a method call, not a pair of calls: {@link #getTransaction} is not supported.
 *
 * @since 0.9
 */
@Stable
public final class HeapTransactionManager implements CallbackPreferringPlatformTransactionManager {
  private final Heap heap;

  /**
   * Transactions of a heap.
   *
   * @param heap open
   */
  public HeapTransactionManager(Heap heap) {
    this.heap = Objects.requireNonNull(heap, "heap");
  }

  /** The transaction that runs in a thread, and whether an inner method wants it undone. */
  private static final class Running {
    final boolean readOnly;
    boolean rollbackOnly;

    Running(boolean readOnly) {
      this.readOnly = readOnly;
    }
  }

  /** Undoes a transaction without an error of the program. */
  private static final class Undo extends RuntimeException {
    private static final long serialVersionUID = 1;

    Undo() {
      super("rolled back", null, false, false);
    }
  }

  @Override
  public <T extends @Nullable Object> T execute(
      @Nullable TransactionDefinition given, TransactionCallback<T> callback) {
    TransactionDefinition definition = given == null ? TransactionDefinition.withDefaults() : given;
    if (definition.getTimeout() != TransactionDefinition.TIMEOUT_DEFAULT) {
      throw new InvalidTimeoutException(
          "a heap has one timeout for all transactions: everheap.heap.lock-timeout",
          definition.getTimeout());
    }
    Running outer = (Running) TransactionSynchronizationManager.getResource(heap);
    return outer == null ? first(definition, callback) : inner(outer, definition, callback);
  }

  private <T extends @Nullable Object> T first(
      TransactionDefinition definition, TransactionCallback<T> callback) {
    return switch (definition.getPropagationBehavior()) {
      case TransactionDefinition.PROPAGATION_MANDATORY ->
          throw new IllegalTransactionStateException("MANDATORY, and there is no transaction");
      case TransactionDefinition.PROPAGATION_SUPPORTS,
          TransactionDefinition.PROPAGATION_NOT_SUPPORTED,
          TransactionDefinition.PROPAGATION_NEVER ->
          callback.doInTransaction(new SimpleTransactionStatus(false));
      default -> begin(definition, callback);
    };
  }

  private <T extends @Nullable Object> T inner(
      Running outer, TransactionDefinition definition, TransactionCallback<T> callback) {
    return switch (definition.getPropagationBehavior()) {
      case TransactionDefinition.PROPAGATION_NEVER ->
          throw new IllegalTransactionStateException("NEVER, and there is a transaction");
      case TransactionDefinition.PROPAGATION_REQUIRES_NEW,
          TransactionDefinition.PROPAGATION_NOT_SUPPORTED ->
          throw new TransactionSuspensionNotSupportedException(
              "a heap runs one transaction at a time and suspends none: "
                  + "use REQUIRED, NESTED, or another thread after the commit");
      case TransactionDefinition.PROPAGATION_NESTED ->
          outer.readOnly ? joined(outer, callback) : nested(callback);
      default -> joined(outer, callback);
    };
  }

  /** Undone alone: the heap's own nested level. */
  private <T extends @Nullable Object> T nested(TransactionCallback<T> callback) {
    Result<T> result = new Result<>();
    try {
      heap.transact(
          () -> {
            var status = new SimpleTransactionStatus(true);
            result.value = callback.doInTransaction(status);
            if (status.isRollbackOnly()) {
              throw new Undo();
            }
          });
    } catch (Undo e) {
      // The program wanted it.
    }
    return result.get();
  }

  /** Part of the outer one, which is undone as a whole if this fails. */
  private <T extends @Nullable Object> T joined(Running outer, TransactionCallback<T> callback) {
    var status = new SimpleTransactionStatus(false);
    boolean completed = false;
    try {
      T result = callback.doInTransaction(status);
      completed = true;
      return result;
    } finally {
      outer.rollbackOnly |= !completed || status.isRollbackOnly();
    }
  }

  private <T extends @Nullable Object> T begin(
      TransactionDefinition definition, TransactionCallback<T> callback) {
    Synchronizations synchronizations = Synchronizations.begin(definition);
    Running running = new Running(definition.isReadOnly());
    Result<T> result = new Result<>();
    try {
      TransactionSynchronizationManager.bindResource(heap, running);
      try {
        if (running.readOnly) {
          read(running, callback, synchronizations, result);
        } else {
          write(running, callback, synchronizations, result);
        }
      } catch (Undo e) {
        // The program wanted it, or the result says that only an inner method did.
      } finally {
        TransactionSynchronizationManager.unbindResource(heap);
      }
    } finally {
      synchronizations.end(result.outcome);
    }
    if (result.unexpected) {
      throw new UnexpectedRollbackException(
          "an inner method that joined the transaction failed, or wanted it undone");
    }
    return result.get();
  }

  private <T extends @Nullable Object> void read(
      Running running,
      TransactionCallback<T> callback,
      Synchronizations synchronizations,
      Result<T> result) {
    boolean _ =
        heap.read(
            () -> {
              running.rollbackOnly = false;
              synchronizations.restart();
              body(running, callback, synchronizations, result);
              return true;
            });
    result.outcome = TransactionSynchronization.STATUS_COMMITTED;
  }

  /** The result says how the transaction ended, also if its end throws. */
  private <T extends @Nullable Object> void write(
      Running running,
      TransactionCallback<T> callback,
      Synchronizations synchronizations,
      Result<T> result) {
    try {
      heap.transact(
          () -> {
            // The first hook: it is run if the commit stands, whatever fails after it.
            heap.transaction()
                .onCommit(() -> result.outcome = TransactionSynchronization.STATUS_COMMITTED);
            body(running, callback, synchronizations, result);
          });
    } catch (StoppedException | ClosedException e) {
      boolean ofHeap =
          e.code().equals(StoppedException.CODE) || e.code().equals(ClosedException.CODE);
      if (ofHeap
          && result.completed
          && result.outcome != TransactionSynchronization.STATUS_COMMITTED) {
        result.outcome = TransactionSynchronization.STATUS_UNKNOWN;
      }
      throw e;
    }
  }

  private static <T extends @Nullable Object> void body(
      Running running,
      TransactionCallback<T> callback,
      Synchronizations synchronizations,
      Result<T> result) {
    var status = new SimpleTransactionStatus(true);
    boolean undo;
    try {
      result.value = callback.doInTransaction(status);
      if (!status.isRollbackOnly() && !running.rollbackOnly) {
        synchronizations.beforeCommit();
      }
      undo = status.isRollbackOnly();
    } finally {
      synchronizations.beforeCompletion();
    }
    if (undo || running.rollbackOnly) {
      result.unexpected = !undo;
      throw new Undo();
    }
    result.completed = true;
  }

  /** What the body of a transaction leaves. */
  private static final class Result<T extends @Nullable Object> {
    @Nullable T value;
    boolean unexpected;
    boolean completed; // the program's part
    int outcome = TransactionSynchronization.STATUS_ROLLED_BACK;

    @SuppressWarnings("NullAway") // null only where the type of the callback says so
    T get() {
      return value;
    }
  }

  @Override
  public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
    throw notSupported();
  }

  @Override
  public void commit(TransactionStatus status) {
    throw notSupported();
  }

  @Override
  public void rollback(TransactionStatus status) {
    throw notSupported();
  }

  private static TransactionUsageException notSupported() {
    return new TransactionUsageException(
        "a transaction of a heap is a method call: use @Transactional, TransactionTemplate, or"
            + " execute()");
  }
}
