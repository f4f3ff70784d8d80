/**
 * What all structures have in common: their kinds and definitions, values and their cells,
 * optimistic reads, and the frees that are left to the background.
 */
@NullMarked
package io.everheap.structure.common;

import org.jspecify.annotations.NullMarked;
