/**
 * Finds objects and structures that nothing leads to, and frees them, while transactions go on.
 * Programs call {@code Heap.collect}, and see reports and progress of this package.
 */
@NullMarked
package io.everheap.collect;

import org.jspecify.annotations.NullMarked;
