package io.everheap.cli.demo;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongConsumer;

/**
 * The bank in a heap: four maps named {@code accounts}, {@code tellers}, {@code branches} and
 * {@code history}. Accounts are durable objects, the other rows are records. Transfers may run in
 * many threads; each is one transaction.
 */
final class Bank implements AutoCloseable {
  private static final int LOAD_BATCH = 1_000;

  /** Makes an account row about 100 bytes together with its key, branch and balance. */
  private static final String ACCOUNT_FILLER = "account".repeat(11);

  private static final String TELLER_FILLER = "teller ".repeat(11);
  private static final String BRANCH_FILLER = "branch ".repeat(12);

  private final Heap heap;
  private final Layout layout;
  private final DurableMap<Long, Account> accounts;
  private final DurableMap<Long, Teller> tellers;
  private final DurableMap<Long, Branch> branches;
  private final DurableMap<Long, Transfer> history;

  private Bank(Heap heap, Layout layout) {
    this.heap = heap;
    this.layout = layout;
    accounts = heap.map("accounts", Long.class, Account.class);
    tellers = heap.map("tellers", Long.class, Teller.class);
    branches = heap.map("branches", Long.class, Branch.class);
    history = heap.map("history", Long.class, Transfer.class);
  }

  /** Opens the heap, which recovers if its process was killed, and the four maps. */
  static Bank open(Path directory, Layout layout, Durability durability) {
    return new Bank(
        Heap.builder(directory).durability(durability).lookup(MethodHandles.lookup()).open(),
        layout);
  }

  /** Creates all rows with a balance of 0, and reports the number of accounts from time to time. */
  void load(LongConsumer progress) {
    heap.transact(
        () -> {
          for (long id = 0; id < layout.branches(); id++) {
            branches.put(id, new Branch(0, BRANCH_FILLER));
          }
          for (long id = 0; id < layout.tellers(); id++) {
            tellers.put(id, new Teller(layout.branchOfTeller(id), 0, TELLER_FILLER));
          }
        });
    for (long id = 0; id < layout.accounts(); id += LOAD_BATCH) {
      long first = id;
      heap.transact(() -> loadAccounts(first, first + LOAD_BATCH));
      progress.accept(first + LOAD_BATCH);
    }
  }

  private void loadAccounts(long from, long to) {
    for (long id = from; id < to; id++) {
      long branch = layout.branchOfAccount(id);
      accounts.put(
          id,
          heap.create(
              Account.class,
              account -> {
                account.branch(branch);
                account.filler(ACCOUNT_FILLER);
              }));
    }
  }

  /** Executes the transfer as one transaction, and returns the account's new balance. */
  long execute(long id, Transfer transfer) {
    return heap.transact(
        () -> {
          long delta = transfer.delta();
          Account account = Objects.requireNonNull(accounts.get(transfer.account()), "account");
          account.deposit(delta);
          tellers.computeIfPresent(transfer.teller(), (key, row) -> row.plus(delta));
          branches.computeIfPresent(transfer.branch(), (key, row) -> row.plus(delta));
          history.put(id, transfer);
          return account.balance();
        });
  }

  /** Passes every row to the check. */
  void checkInto(BankCheck check) {
    history.forEach(check::transfer);
    accounts.forEach((id, account) -> check.account(id, account.branch(), account.balance()));
    tellers.forEach(check::teller);
    branches.forEach(check::branch);
  }

  /** Reads one row of every table, as the first request after a restart would. */
  void touch() {
    accounts.get(0L);
    tellers.get(0L);
    branches.get(0L);
    history.get(0L);
  }

  /** Removes a transfer from the history without changing balances. */
  void tamper(long id) {
    heap.transact(
        () -> {
          history.remove(id);
        });
  }

  /** How many transactions recovery took from the log when the heap was opened. */
  long replayed() {
    return heap.stats().recovery().transactions();
  }

  @Override
  public void close() {
    heap.close();
  }
}
