/** Sorted maps and sets: a B+-tree. */
@NullMarked
package io.everheap.structure.sorted;

import org.jspecify.annotations.NullMarked;
