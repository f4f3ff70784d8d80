package io.everheap.report;

import io.everheap.stability.Evolving;

/**
 * The space in a heap that a structure or an object takes. A block counts with its header of 8
 * bytes and with the rest of its slot, pages or chunks, as {@link
 * io.everheap.block.Blocks#footprint} says.
 *
 * <p>The structure's own blocks are those that its removal gives back: its header, tables, nodes,
 * keys and values, including spare capacity; of an object, its fields and their values. The total
 * adds the structures and objects that values lead to, directly or through others, each once. Other
 * roots, and structures and objects reached only through them, are not part of it.
 *
 * <p>A structure or object that is shared counts in the footprint of each holder, so the footprints
 * of several roots may add up to more than the heap has. Not counted are blocks that were removed
 * and that the heap still has to free, raw blocks whose handles are stored as numbers, and objects
 * in values of a codec that only the program knows.
 *
 * @param bytes in all these blocks
 * @param blocks how many they are
 * @param ownBytes the part of {@code bytes} in the structure's own blocks
 * @param ownBlocks the part of {@code blocks} that are its own
 * @since 0.9
 */
@Evolving
public record Footprint(long bytes, long blocks, long ownBytes, long ownBlocks) {}
