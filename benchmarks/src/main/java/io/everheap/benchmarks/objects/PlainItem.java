package io.everheap.benchmarks.objects;

import org.jspecify.annotations.Nullable;

/** An item in the Java heap. */
final class PlainItem implements Item {
  private long amount;
  private int count;
  private @Nullable String name;
  private @Nullable Item next;

  @Override
  public long amount() {
    return amount;
  }

  @Override
  public void amount(long value) {
    amount = value;
  }

  @Override
  public int count() {
    return count;
  }

  @Override
  public void count(int value) {
    count = value;
  }

  @Override
  public @Nullable String name() {
    return name;
  }

  @Override
  public void name(@Nullable String value) {
    name = value;
  }

  @Override
  public @Nullable Item next() {
    return next;
  }

  @Override
  public void next(@Nullable Item value) {
    next = value;
  }
}
