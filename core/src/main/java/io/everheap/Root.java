package io.everheap;

/**
 * What a heap knows about one of its roots.
 *
 * @param name under which the root is found
 * @param keyType name of the codec of its keys
 * @param valueType name of the codec of its values
 * @param size number of entries
 */
public record Root(String name, String keyType, String valueType, long size) {}
