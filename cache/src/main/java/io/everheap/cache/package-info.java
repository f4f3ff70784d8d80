/**
 * A cache that is warm after {@code kill -9}: of blocks of bytes ({@link
 * io.everheap.cache.BlockCache}).
 *
 * <pre>{@code
 * try (BlockCache cache = BlockCache.open(Path.of("blocks"), 1L << 30)) {
 *   try (BlockHandle block = cache.get(key)) {
 *     if (block != null) {
 *       use(block.segment());          // in place, without a copy
 *     }
 *   }
 * }
 * }</pre>
 */
@NullMarked
package io.everheap.cache;

import org.jspecify.annotations.NullMarked;
