package io.everheap.benchmarks.objects;

/** How items are declared. */
public enum Kind {
  /** A durable interface. */
  INTERFACE,

  /** A durable class. */
  WOVEN,

  /** A class in the Java heap. */
  PLAIN
}
