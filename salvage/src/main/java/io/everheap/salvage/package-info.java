/** Saves what is readable of a damaged heap into a new one. */
@NullMarked
package io.everheap.salvage;

import org.jspecify.annotations.NullMarked;
