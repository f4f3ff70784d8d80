/**
 * Codecs: how values become bytes in a heap and bytes become values again.
 *
 * <p>Codecs of ordered keys keep the order of the values in the unsigned order of the bytes.
 */
@NullMarked
package io.everheap.codec;

import org.jspecify.annotations.NullMarked;
