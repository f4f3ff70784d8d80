package io.everheap.support.architecture.sample.ring;

/** Closes a cycle of three, and with {@link Fourth} a cycle of four. */
public class Third {
  First first;
  Fourth next;
}
