/** The experiment {@code tx}: small transactions, the map, group commit and recovery. */
@NullMarked
package io.everheap.benchmarks.tx;

import org.jspecify.annotations.NullMarked;
