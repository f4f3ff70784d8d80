/**
 * Codecs made from the name of a codec alone, for tools that have none of the classes the data was
 * written with, and for the comparison with what a program has now.
 */
@NullMarked
package io.everheap.codec.described;

import org.jspecify.annotations.NullMarked;
