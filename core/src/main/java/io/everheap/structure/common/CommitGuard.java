package io.everheap.structure.common;

import io.everheap.engine.tx.Stripes;

/** A guard over everything: it holds until a commit changes anything. Used by one thread. */
final class CommitGuard extends Guard {
  private final Stripes stripes;
  private long sequence;

  CommitGuard(Stripes stripes) {
    super(stripes, 0, 0, 1);
    this.stripes = stripes;
  }

  @Override
  boolean open() {
    sequence = stripes.sequence();
    return super.open() && (sequence & 1) == 0;
  }

  @Override
  boolean holds() {
    return isExclusive() || stripes.sequenceValid(sequence);
  }
}
