/** The bytes of a cache on its medium: superblocks, segments, slots. */
@NullMarked
package io.everheap.cache.format;

import org.jspecify.annotations.NullMarked;
