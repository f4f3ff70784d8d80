/**
 * What the structures share: keys and values as they are stored, nodes, large values, guards of
 * reads without locks, and small transactions.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.base;

import org.jspecify.annotations.NullMarked;
