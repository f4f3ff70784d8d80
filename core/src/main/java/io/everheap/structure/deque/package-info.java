/** Deques: a ring of chunks. */
@NullMarked
package io.everheap.structure.deque;

import org.jspecify.annotations.NullMarked;
