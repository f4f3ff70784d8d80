/**
 * Reports of the maintenance of a heap: results and progress of {@code Heap.verify} and {@code
 * Heap.collect}.
 */
@NullMarked
package io.everheap.report;

import org.jspecify.annotations.NullMarked;
