package io.everheap.structure.common;

import io.everheap.engine.tx.Stripes;
import java.lang.invoke.VarHandle;

/**
 * Whether what an optimistic read has loaded so far belongs to one state: the versions of the
 * stripes that it depends on, one for a key, several for a part of a small table. They only grow,
 * so one sum stands for all. Used by one thread.
 */
public class Guard {
  private final Stripes stripes;
  private final int first;
  private final int end;
  private final int step;
  private long versions;
  private boolean exclusive;

  /**
   * A guard over every {@code step}-th stripe.
   *
   * @param first stripe
   * @param end exclusive bound
   */
  public Guard(Stripes stripes, int first, int end, int step) {
    this.stripes = stripes;
    this.first = first;
    this.end = end;
    this.step = step;
  }

  /** A guard over one stripe. */
  public Guard(Stripes stripes, int stripe) {
    this(stripes, stripe, stripe + 1, 1);
  }

  /** Samples the stripes; false when one of them is being changed right now. */
  boolean open() {
    exclusive = false;
    long sum = 0;
    for (int stripe = first; stripe < end; stripe += step) {
      long version = stripes.sample(stripe);
      if ((version & 1) != 0) {
        return false;
      }
      sum += version;
    }
    versions = sum;
    return true;
  }

  /** Makes the guard hold: the caller is the writer, or keeps writers out. */
  public Guard exclusive() {
    exclusive = true;
    return this;
  }

  public boolean isExclusive() {
    return exclusive;
  }

  /** Whether no stripe changed since {@link #open}. */
  boolean holds() {
    if (exclusive) {
      return true;
    }
    VarHandle.loadLoadFence();
    long sum = 0;
    for (int stripe = first; stripe < end; stripe += step) {
      sum += stripes.sample(stripe);
    }
    return sum == versions;
  }

  /** To be called before anything is trusted that was loaded: a length, above all. */
  public void check() {
    if (!holds()) {
      throw Retry.INSTANCE;
    }
  }
}
