package io.everheap.engine.alloc;

/**
 * What one chunk is used for, as tools draw it.
 *
 * @param kind "free", "slots", "pages", "large", "retired", "metadata" or "damaged"
 * @param blockBytes the size of its slots, or 0
 * @param used slots or pages in use; of other chunks all or nothing of 1
 * @param total slots or pages that it has; of other chunks 1
 */
public record ChunkUse(String kind, int blockBytes, int used, int total) {}
