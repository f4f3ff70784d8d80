/** The engine of a cache: space, entries, recovery, durability. */
@NullMarked
package io.everheap.cache.store;

import org.jspecify.annotations.NullMarked;
