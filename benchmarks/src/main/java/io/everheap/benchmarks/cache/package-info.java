/**
 * Caches next to each other: read-through in front of a slow source, the cost of a hit, the restart
 * after a kill, many small entries, and the hit rates of policies.
 */
@NullMarked
package io.everheap.benchmarks.cache;

import org.jspecify.annotations.NullMarked;
