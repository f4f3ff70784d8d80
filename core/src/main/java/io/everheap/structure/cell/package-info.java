/** Atomic longs, counters and references: a few words each. */
@NullMarked
package io.everheap.structure.cell;

import org.jspecify.annotations.NullMarked;
