/** Directories of caches. */
@NullMarked
package io.everheap.jcache.store;

import org.jspecify.annotations.NullMarked;
