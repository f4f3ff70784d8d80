package io.everheap.durable;

/**
 * A durable type in one open heap. It is public for generated and woven classes, which only pass it
 * on; programs use their own types.
 */
public interface ObjectType {}
