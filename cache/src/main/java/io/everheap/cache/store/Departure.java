package io.everheap.cache.store;

/**
 * An entry that ended.
 *
 * @param key a copy
 * @param value a copy
 * @param cause why
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Departure(byte[] key, byte[] value, Cause cause) {}
