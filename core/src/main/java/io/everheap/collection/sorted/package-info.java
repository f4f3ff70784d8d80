/**
 * The B+-tree below sorted maps and sets.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.sorted;

import org.jspecify.annotations.NullMarked;
