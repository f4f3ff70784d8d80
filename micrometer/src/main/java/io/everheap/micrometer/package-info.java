/**
 * Meters of heaps and journals.
 *
 * <pre>{@code
 * new HeapMetrics(heap).bindTo(registry);
 * }</pre>
 */
@NullMarked
package io.everheap.micrometer;

import org.jspecify.annotations.NullMarked;
