package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.codec.Was;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSet;
import io.everheap.error.SchemaMismatchException;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A process whose records and enum change while it works: the first one begins with the earlier
 * version and goes on with the later one, as its successors do. Whenever it crashes, and whatever
 * is rolled back, each value must be read as what was written.
 */
final class TypeChangeProcess implements SimulatedProcess {
  private static final int LATER = 8;
  private static final String NAME = "io.everheap.testkit.TypeChangeProcess$";

  /** The earlier version. */
  public record Price(int cents) {}

  /** The later version. */
  @Was(NAME + "Price")
  public record Amount(@Nullable String currency, @Was("cents") long amount) {}

  /** The earlier version. */
  public enum Kind {
    /** Of both. */
    OPEN
  }

  /** The later version. */
  @Was(NAME + "Kind")
  public enum State {
    /** New. */
    NEW,
    /** Of both. */
    OPEN
  }

  private final HeapSetup setup;
  private final long seed;
  private final int steps;
  private final boolean first;
  private final Ledger<Map<String, String>> ledger;

  TypeChangeProcess(HeapSetup setup, long seed, int steps) {
    this(setup, seed, steps, true, Ledger.Before.of(Map.of()));
  }

  private TypeChangeProcess(
      HeapSetup setup,
      long seed,
      int steps,
      boolean first,
      Ledger.Before<Map<String, String>> before) {
    this.setup = setup;
    this.seed = seed;
    this.steps = steps;
    this.first = first;
    this.ledger = new Ledger<>(before, setup.sync());
  }

  @Override
  public Promise promise() {
    return ledger.promise(
        (next, before) ->
            new TypeChangeProcess(setup, next, Math.min(steps, LATER), false, before));
  }

  /** The structures as one version of the program has them. */
  @SuppressWarnings("ArrayRecordComponent") // it is never compared
  private record Data<P, K>(
      DurableMap<Integer, P> map,
      DurableList<P> list,
      DurableSet<K> set,
      BiFunction<Long, String, P> make,
      K[] kinds) {
    static Data<Price, Kind> earlier(Heap heap) {
      return new Data<>(
          heap.map("map", Integer.class, Price.class),
          heap.list("list", Price.class),
          heap.set("set", Kind.class),
          (amount, _) -> new Price(amount.intValue()),
          Kind.values());
    }

    static Data<Amount, State> later(Heap heap) {
      return new Data<>(
          heap.map("map", Integer.class, Amount.class),
          heap.list("list", Amount.class),
          heap.set("set", State.class),
          (amount, currency) -> new Amount(currency, amount),
          State.values());
    }

    Map<String, String> contents() {
      Map<String, String> contents = new TreeMap<>();
      map.forEach((key, value) -> contents.put("map " + key, text(value)));
      for (int i = 0; i < list.size(); i++) {
        contents.put("list " + i, text(list.get(i)));
      }
      for (K kind : set) {
        contents.put("set " + kind, "");
      }
      return contents;
    }

    static String text(Object value) {
      return switch (value) {
        case Price price -> price.cents() + " null";
        case Amount amount -> amount.amount() + " " + amount.currency();
        default -> throw new AssertionError(value);
      };
    }

    void step(Map<String, String> model, Random random) {
      P value = make.apply((long) random.nextInt(1000), "EUR");
      switch (random.nextInt(4)) {
        case 0 -> {
          int key = random.nextInt(5);
          map.put(key, value);
          model.put("map " + key, text(value));
        }
        case 1 -> {
          list.add(value);
          model.put("list " + (list.size() - 1), text(value));
        }
        case 2 -> {
          int at = list.isEmpty() ? 0 : random.nextInt(list.size());
          if (!list.isEmpty()) {
            list.set(at, value);
            model.put("list " + at, text(value));
          }
        }
        default -> {
          K kind = kinds[random.nextInt(kinds.length)];
          set.add(kind);
          assertThat(set.contains(kind)).isTrue();
          model.put("set " + kind, "");
        }
      }
    }
  }

  @Override
  public void run(SimulatedMedium medium) {
    try (Heap heap = setup.open(medium)) {
      if (first) {
        Data<Price, Kind> earlier = Data.earlier(heap);
        ledger.opened(earlier.contents());
        work(heap, earlier, steps / 2);
        work(heap, Data.later(heap), steps / 2);
      } else {
        ledger.opened(Data.later(heap).contents());
        try {
          assertThat(Data.earlier(heap).contents())
              .as("before the switch")
              .isEqualTo(ledger.last());
        } catch (SchemaMismatchException e) {
          assertThat(e).hasMessageContaining("stored");
        }
        work(heap, Data.later(heap), steps);
      }
      setup.verify(heap);
    }
  }

  private <P, K> void work(Heap heap, Data<P, K> data, int count) {
    var random = new Random(~seed);
    Map<String, String> model = new TreeMap<>(ledger.last());
    for (int i = 0; i < count; i++) {
      if (random.nextInt(3) == 0) {
        rollBack(heap, data, random);
      }
      heap.transact(
          () -> {
            for (int n = random.nextInt(3); n >= 0; n--) {
              data.step(model, random);
            }
            ledger.announce(new TreeMap<>(model));
          });
      ledger.committed();
      if (random.nextInt(10) == 0) {
        heap.checkpoint();
        ledger.synced();
      }
    }
    assertThat(data.contents()).as("the values before the end").isEqualTo(model);
  }

  /** Also the first transaction that stores something of a new type may be rolled back. */
  private static <P, K> void rollBack(Heap heap, Data<P, K> data, Random random) {
    try {
      heap.transact(
          () -> {
            data.step(new TreeMap<>(), random);
            throw new UnsupportedOperationException();
          });
    } catch (UnsupportedOperationException e) {
      // on purpose
    }
  }
}
