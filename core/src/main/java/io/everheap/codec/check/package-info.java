/**
 * Checks of users' codecs: the name must differ from those of built-in codecs, and the codec must
 * be able to read the bytes that it writes.
 */
@NullMarked
package io.everheap.codec.check;

import org.jspecify.annotations.NullMarked;
