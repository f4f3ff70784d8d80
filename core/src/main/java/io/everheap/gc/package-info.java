/** Finds objects and structures that nothing leads to, and frees them, while transactions go on. */
@NullMarked
package io.everheap.gc;

import org.jspecify.annotations.NullMarked;
