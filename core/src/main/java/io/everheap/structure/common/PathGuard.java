package io.everheap.structure.common;

import io.everheap.engine.tx.Stripes;
import java.util.Arrays;

/**
 * A guard that learns what it depends on while a read goes on: the stripe of each node is added
 * before anything of the node is loaded. If it holds, then nothing that was loaded has changed
 * since, so all of it was there at the moment at which the guard was asked.
 */
public final class PathGuard extends Guard {
  private final Stripes all;
  private int[] stripes = new int[8];
  private int length;
  private long versions;
  private boolean broken;

  public PathGuard(Stripes stripes) {
    super(stripes, 0);
    this.all = stripes;
  }

  @Override
  boolean open() {
    super.open();
    length = 0;
    versions = 0;
    broken = false;
    return true;
  }

  /**
   * Makes the guard depend on one more stripe.
   *
   * @throws Retry when it is being changed right now
   */
  public void add(int stripe) {
    if (isExclusive()) {
      return;
    }
    long version = all.sample(stripe);
    if ((version & 1) != 0) {
      broken = true;
      throw Retry.INSTANCE;
    }
    if (length == stripes.length) {
      stripes = Arrays.copyOf(stripes, 2 * length);
    }
    stripes[length++] = stripe;
    versions += version;
  }

  @Override
  boolean holds() {
    if (isExclusive()) {
      return true;
    }
    java.lang.invoke.VarHandle.loadLoadFence();
    long sum = 0;
    for (int i = 0; i < length; i++) {
      sum += all.sample(stripes[i]);
    }
    return !broken && sum == versions;
  }
}
