/** Arrays of primitive values and of objects. */
@NullMarked
package io.everheap.structure.array;

import org.jspecify.annotations.NullMarked;
