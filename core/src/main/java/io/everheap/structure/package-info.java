/** The list of all structures; each has a package of its own below this one. */
@NullMarked
package io.everheap.structure;

import org.jspecify.annotations.NullMarked;
