/**
 * A bank whose process is killed in the middle of its transfers, after TPC-B: how it comes back.
 */
@NullMarked
package io.everheap.benchmarks.bank;

import org.jspecify.annotations.NullMarked;
