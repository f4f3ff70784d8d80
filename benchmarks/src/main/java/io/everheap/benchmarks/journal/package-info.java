/** Experiment B1: the append-only log. */
@NullMarked
package io.everheap.benchmarks.journal;

import org.jspecify.annotations.NullMarked;
