package io.everheap.benchmarks.objects;

import io.everheap.durable.Durable;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plain class, which is woven before it is loaded: see {@link WovenItems}. As a function, one
 * makes others.
 */
@Durable(name = "benchmark.WovenItem")
public final class WovenItem implements Item, Function<Consumer<Item>, Item> {
  private long amount;
  private int count;
  private @Nullable String name;
  private @Nullable WovenItem next;

  /** An item with nothing in it. */
  public WovenItem() {}

  @Override
  public Item apply(Consumer<Item> init) {
    Item made = new WovenItem();
    init.accept(made);
    return made;
  }

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
    next = (WovenItem) value;
  }
}
