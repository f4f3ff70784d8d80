/** What was measured: cases, samples, targets, and the files and tables made of them. */
@NullMarked
package io.everheap.benchmarks.result;

import org.jspecify.annotations.NullMarked;
