package io.everheap.memory.crypt;

/**
 * Identifies an encrypted file, whatever its name: 128 random bits. Sectors of one file are refused
 * in every other one.
 */
record FileId(long high, long low) {}
