/** A raw block that has a name. */
@NullMarked
package io.everheap.structure.block;

import org.jspecify.annotations.NullMarked;
