/** What a cache keeps in memory of its own: the index, pins, free space. */
@NullMarked
package io.everheap.cache.table;

import org.jspecify.annotations.NullMarked;
