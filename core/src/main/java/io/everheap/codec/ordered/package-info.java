/** Encodings in the order of the values, in which sorted collections keep their keys. */
@NullMarked
package io.everheap.codec.ordered;

import org.jspecify.annotations.NullMarked;
