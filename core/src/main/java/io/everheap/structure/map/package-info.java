/** Hash maps and sets. */
@NullMarked
package io.everheap.structure.map;

import org.jspecify.annotations.NullMarked;
