/** The collector of unreachable objects and structures, which runs beside transactions. */
@NullMarked
package io.everheap.gc;

import org.jspecify.annotations.NullMarked;
