package io.everheap.cache.store;

import io.everheap.memory.Medium;

/**
 * A directory of a cache.
 *
 * @param medium open; closed with the file
 * @param capacity the most bytes that the file may take
 */
public record Place(Medium medium, long capacity) {}
