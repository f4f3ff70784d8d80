/**
 * Block allocation inside the home image, with bitmaps that change only through the redo log.
 *
 * <p>The home image is an array of extents of equal size, an extent is an array of 256 KiB chunks,
 * and a chunk holds blocks of one kind: slots of one size class, runs of pages, or a part of one
 * large block. A block starts with a header word that tells its type, its exact size and its
 * generation; a reference carries the generation it was made with, so that its use after the block
 * was freed is noticed.
 *
 * <p>Every word that says what is allocated is written through the transaction layer, so a crash
 * leaks nothing and an abort restores everything. Only summaries live on the Java heap; they are
 * read from the chunk tables when first needed.
 */
@NullMarked
package io.everheap.engine.alloc;

import org.jspecify.annotations.NullMarked;
