/** Benchmarks of Everheap and of its peers. */
@NullMarked
package io.everheap.benchmarks;

import org.jspecify.annotations.NullMarked;
