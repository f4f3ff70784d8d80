/**
 * Block allocation inside the home image, with bitmaps that change only through the redo log.
 *
 * <p>The home image is an array of extents of equal size, an extent is an array of 256 KiB chunks,
 * and a chunk holds blocks of one kind: slots of one size class, runs of pages, or a part of one
 * large block. A block starts with a header word with its type, its exact size and its generation;
 * a reference contains the generation of its block, so that its use after the block was freed is
 * detected.
 *
 * <p>All words that describe allocations are written through transactions, so a crash leaks nothing
 * and a rollback restores everything. Only summaries are on the Java heap; they are read from the
 * chunk tables when first needed.
 */
@NullMarked
package io.everheap.engine.alloc;

import org.jspecify.annotations.NullMarked;
