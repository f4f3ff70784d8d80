/**
 * The counted B+-tree below lists and priority queues.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.tree;

import org.jspecify.annotations.NullMarked;
