/** Texts and byte buffers, and the chunked bytes under them and under arrays. */
@NullMarked
package io.everheap.structure.bytes;

import org.jspecify.annotations.NullMarked;
