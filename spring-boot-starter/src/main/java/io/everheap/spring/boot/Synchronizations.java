package io.everheap.spring.boot;

import java.util.List;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionSynchronizationUtils;

/**
 * The callbacks around one transaction, in its thread. If a transaction of another manager has
 * callbacks in this thread already, they are its own, and this does nothing.
 */
final class Synchronizations {
  private final boolean ours;
  private final boolean readOnly;

  private Synchronizations(boolean ours, boolean readOnly) {
    this.ours = ours;
    this.readOnly = readOnly;
  }

  static Synchronizations begin(TransactionDefinition definition) {
    boolean ours = !TransactionSynchronizationManager.isSynchronizationActive();
    if (ours) {
      TransactionSynchronizationManager.initSynchronization();
      TransactionSynchronizationManager.setActualTransactionActive(true);
      TransactionSynchronizationManager.setCurrentTransactionName(definition.getName());
      TransactionSynchronizationManager.setCurrentTransactionReadOnly(definition.isReadOnly());
    }
    return new Synchronizations(ours, definition.isReadOnly());
  }

  /** Forgets the callbacks of an attempt that is repeated. */
  void restart() {
    if (ours) {
      TransactionSynchronizationManager.clearSynchronization();
      TransactionSynchronizationManager.initSynchronization();
    }
  }

  void beforeCommit() {
    if (ours) {
      TransactionSynchronizationUtils.triggerBeforeCommit(readOnly);
    }
  }

  void beforeCompletion() {
    if (ours) {
      TransactionSynchronizationUtils.triggerBeforeCompletion();
    }
  }

  /**
   * Calls those after the end; an exception of one after a commit reaches the caller.
   *
   * @param outcome one of the constants of {@link TransactionSynchronization}
   */
  void end(int outcome) {
    if (!ours) {
      return;
    }
    List<TransactionSynchronization> all = TransactionSynchronizationManager.getSynchronizations();
    try {
      if (outcome == TransactionSynchronization.STATUS_COMMITTED) {
        TransactionSynchronizationUtils.invokeAfterCommit(all);
      }
    } finally {
      TransactionSynchronizationManager.clear();
      TransactionSynchronizationUtils.invokeAfterCompletion(all, outcome);
    }
  }
}
