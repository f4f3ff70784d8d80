package io.everheap.structure.map;

/**
 * What a map keeps about the types of its keys and values: numbers that mean something to the heap.
 *
 * @param key of the keys
 * @param value of the values
 */
public record MapType(long key, long value) {}
