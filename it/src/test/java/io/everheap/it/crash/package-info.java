/** Heaps that lose their process or their power while several threads write. */
@NullMarked
package io.everheap.it.crash;

import org.jspecify.annotations.NullMarked;
