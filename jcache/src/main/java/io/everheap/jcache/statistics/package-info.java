/** Figures and settings of caches as management beans. */
@NullMarked
package io.everheap.jcache.statistics;

import org.jspecify.annotations.NullMarked;
