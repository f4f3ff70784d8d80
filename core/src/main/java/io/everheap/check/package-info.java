/** Checks a heap from its roots and from its allocator, and compares the two. */
@NullMarked
package io.everheap.check;

import org.jspecify.annotations.NullMarked;
