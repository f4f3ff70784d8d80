/** Codecs whose words are references to other things of a heap, which the library follows. */
@NullMarked
package io.everheap.codec.reference;

import org.jspecify.annotations.NullMarked;
