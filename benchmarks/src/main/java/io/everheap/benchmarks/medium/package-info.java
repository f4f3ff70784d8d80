/** A medium that shows what persistent memory costs in instructions, on ordinary memory. */
@NullMarked
package io.everheap.benchmarks.medium;

import org.jspecify.annotations.NullMarked;
