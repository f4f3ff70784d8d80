package io.everheap.cache.format;

/**
 * Sequences that a power loss made void: entries that have one are not served.
 *
 * @param after the last sequence before them
 * @param through the last of them
 */
public record Span(long after, long through) {
  /** Whether a sequence is in here. */
  public boolean holds(long sequence) {
    return sequence > after && sequence <= through;
  }
}
