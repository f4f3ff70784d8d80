package io.everheap.benchmarks.bank;

import io.everheap.benchmarks.harness.Scramble;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** An account as bytes: its balance, little-endian, and a filler. */
final class Account {
  /** The size of an account without its key. */
  static final int BYTES = 140;

  /** The initial balance of each account. */
  static final long INITIAL = 1000;

  private static final VarHandle BALANCE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Account() {}

  /** The key of the n-th account: neighbours in number are none in the order of the keys. */
  static String key(long n) {
    return HexFormat.of().toHexDigits(Scramble.key(n));
  }

  static byte[] initial() {
    byte[] account = new byte[BYTES];
    BALANCE.set(account, 0, INITIAL);
    return account;
  }

  static long balance(byte[] account) {
    return (long) BALANCE.get(account, 0);
  }

  /** A copy with another balance. */
  static byte[] plus(byte[] account, long amount) {
    byte[] changed = account.clone();
    BALANCE.set(changed, 0, balance(account) + amount);
    return changed;
  }
}
