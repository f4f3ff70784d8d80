/**
 * Bytes in chunks below arrays, texts and byte buffers, and single cells below atomics.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.chunk;

import org.jspecify.annotations.NullMarked;
