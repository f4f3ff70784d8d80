/**
 * The hash table below maps and sets.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.hash;

import org.jspecify.annotations.NullMarked;
