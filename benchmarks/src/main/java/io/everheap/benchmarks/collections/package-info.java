/** Structures of the library, next to those of the JDK and of other libraries. */
@NullMarked
package io.everheap.benchmarks.collections;

import org.jspecify.annotations.NullMarked;
