/**
 * What a codec of a user must keep to: a name that tells it from the built-in codecs, and bytes
 * that it can read again.
 */
@NullMarked
package io.everheap.codec.check;

import org.jspecify.annotations.NullMarked;
