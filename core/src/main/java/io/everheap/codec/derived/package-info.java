/**
 * Codecs that follow from Java types and from other codecs: {@link
 * io.everheap.codec.derived.DerivedCodecs} makes those of collections, records and enums, and
 * {@link io.everheap.codec.derived.CodecRegistry} finds or makes the codec of any type.
 */
@NullMarked
package io.everheap.codec.derived;

import org.jspecify.annotations.NullMarked;
