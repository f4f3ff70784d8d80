package io.everheap.benchmarks.cache;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;

/** A sequence of keys that are asked for, the same each time. */
public final class Trace {
  private static final int LENGTH = 400_000;
  private static final int GOLDEN = 0x9E37_79B9;
  private static final int WEIGHTS = 64;

  /** All traces. */
  static final List<Trace> ALL =
      List.of(
          new Trace("loop-of-1000-in-512", keys(i -> i % 1000), 512, false),
          new Trace("glimpse-like-in-1000", glimpse(), 1000, false),
          new Trace("zipf-0.9-with-scans-in-2000", scans(), 2000, false),
          new Trace("zipf-0.99-of-50k-in-5000", zipf(50_000, 0.99, 1), 5000, false),
          new Trace("uniform-of-10k-in-2500", uniform(), 2500, false),
          new Trace("drifting-in-800", drifting(), 800, false),
          new Trace("mixed-sizes-zipf-in-100k", zipf(50_000, 0.99, 9), 100_000, true));

  private final String name;
  private final int[] keys;
  private final int capacity;
  private final boolean weighted;

  /**
   * Makes a trace.
   *
   * @param name what it is like, and how much the cache holds
   * @param keys in their order; kept
   * @param capacity what the cache holds: the sum of the weights
   * @param weighted whether keys have weights of 1 to 64; else each has 1
   */
  public Trace(String name, int[] keys, int capacity, boolean weighted) {
    this.name = name;
    this.keys = keys;
    this.capacity = capacity;
    this.weighted = weighted;
  }

  /** Finds a trace by its name. */
  static Trace named(String name) {
    return ALL.stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  /** What it is like, and how much the cache holds. */
  public String name() {
    return name;
  }

  /** The keys in their order, which must not be changed. */
  public int[] keys() {
    return keys;
  }

  /** What the cache holds: the sum of the weights. */
  public int capacity() {
    return capacity;
  }

  /** Whether keys have weights of 1 to 64; else each has 1. */
  public boolean weighted() {
    return weighted;
  }

  /**
   * Returns the weight of a key.
   *
   * @param key the key
   * @return at least 1
   */
  public int weight(int key) {
    return weighted ? 1 + Math.floorMod(key * GOLDEN, WEIGHTS) : 1;
  }

  private static int[] keys(IntUnaryOperator key) {
    int[] keys = new int[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      keys[i] = key.applyAsInt(i);
    }
    return keys;
  }

  private static int[] zipf(int items, double exponent, long seed) {
    Distribution zipf = Distribution.zipf(items, exponent);
    SplittableRandom random = new SplittableRandom(seed);
    return keys(i -> zipf.rank(random));
  }

  /** A loop over the text that is searched, and between its parts an index that is skewed. */
  private static int[] glimpse() {
    int text = 2500;
    Distribution index = Distribution.zipf(500, 0.9);
    SplittableRandom random = new SplittableRandom(2);
    int[] next = new int[1];
    return keys(i -> random.nextInt(100) < 30 ? text + index.rank(random) : next[0]++ % text);
  }

  /** A zipf distribution, and now and then a scan of keys that never come back. */
  private static int[] scans() {
    int[] keys = zipf(20_000, 0.9, 3);
    for (int start = 20_000; start + 5000 < LENGTH; start += 25_000) {
      for (int i = 0; i < 5000; i++) {
        keys[start + i] = 1_000_000 + start + i;
      }
    }
    return keys;
  }

  private static int[] uniform() {
    SplittableRandom random = new SplittableRandom(5);
    return keys(i -> random.nextInt(10_000));
  }

  /** Keys come again soon, and then never. */
  private static int[] drifting() {
    SplittableRandom random = new SplittableRandom(7);
    return keys(i -> i / 10 + random.nextInt(400));
  }
}
