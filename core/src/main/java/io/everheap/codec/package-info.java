/**
 * Codecs: how values become bytes in a heap and bytes become values again.
 *
 * <p>{@link io.everheap.codec.Codecs} has those of the JDK's types, {@link
 * io.everheap.codec.derived.DerivedCodecs} makes those of collections, records and enums, {@link
 * io.everheap.codec.derived.CodecRegistry} finds or makes the codec of a class, and {@link
 * io.everheap.codec.Codec} is what users implement for types of their own. All numbers are
 * little-endian. The bytes carry no type: the {@linkplain io.everheap.codec.Codec#name() name} of
 * the codec describes them, and is kept once in the heap's type table.
 *
 * <h2>Described values</h2>
 *
 * <p>Tools read values without the classes they were written with, by the name of the codec alone.
 * Such values are what JSON would make of them: the JDK's types as themselves; a record as a {@code
 * Map} from the names of its components to their values, in their order; an enum constant as its
 * name; a value of a sealed type as a {@code Map} with one entry, from the tag of its class to the
 * value; an array of objects as {@code Object[]}; an object as an {@link
 * io.everheap.codec.ObjectReference}.
 */
@NullMarked
package io.everheap.codec;

import org.jspecify.annotations.NullMarked;
