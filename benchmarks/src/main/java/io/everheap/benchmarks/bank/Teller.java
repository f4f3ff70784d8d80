package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.store.Store;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Makes transfers between two random accounts. Its locks serialise transfers that share an account,
 * in the same way for every store; the store only has to replace both accounts or none.
 */
final class Teller {
  private static final int LOCKS = 1 << 16;
  private static final int MOST = 100;

  private final Store store;
  private final long accounts;
  private final Object[] locks = new Object[LOCKS];

  Teller(Store store, long accounts) {
    this.store = store;
    this.accounts = accounts;
    Arrays.setAll(locks, i -> new Object());
  }

  /** Makes one transfer. */
  void transfer(SplittableRandom random) {
    long from = random.nextLong(accounts);
    long to = (from + 1 + random.nextLong(accounts - 1)) % accounts;
    long amount = 1L + random.nextInt(MOST);
    int first = (int) Math.min(from % LOCKS, to % LOCKS);
    int second = (int) Math.max(from % LOCKS, to % LOCKS);
    synchronized (locks[first]) {
      synchronized (locks[second]) {
        String source = Account.key(from);
        String target = Account.key(to);
        store.putAll(
            List.of(source, target),
            List.of(Account.plus(account(source), -amount), Account.plus(account(target), amount)));
      }
    }
  }

  /** The money in all accounts. No transfer may run meanwhile. */
  long sum() {
    long sum = 0;
    for (long n = 0; n < accounts; n++) {
      sum += Account.balance(account(Account.key(n)));
    }
    return sum;
  }

  private byte[] account(String key) {
    return Objects.requireNonNull(store.get(key), "an account is missing");
  }
}
