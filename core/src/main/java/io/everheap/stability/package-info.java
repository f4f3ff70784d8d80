/** Annotations that say how public types may change. */
@NullMarked
package io.everheap.stability;

import org.jspecify.annotations.NullMarked;
