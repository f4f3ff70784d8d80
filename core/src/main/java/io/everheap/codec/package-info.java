/**
 * Codecs: how values become bytes in a heap and bytes become values again.
 *
 * <p>{@link io.everheap.codec.Codecs} has those of the JDK's types, {@link
 * io.everheap.codec.CodecRegistry} finds or builds the codec of a class, and {@link
 * io.everheap.codec.Codec} is what users implement for types of their own. All numbers are
 * little-endian. The bytes carry no type: the {@linkplain io.everheap.codec.Codec#name() name} of
 * the codec describes them, and is kept once in the heap's type table.
 */
@NullMarked
package io.everheap.codec;

import org.jspecify.annotations.NullMarked;
