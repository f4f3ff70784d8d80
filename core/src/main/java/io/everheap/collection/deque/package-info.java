/**
 * The chain of chunks below deques.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.deque;

import org.jspecify.annotations.NullMarked;
