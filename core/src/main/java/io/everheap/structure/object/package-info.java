/** Durable objects as roots and as entries. */
@NullMarked
package io.everheap.structure.object;

import org.jspecify.annotations.NullMarked;
