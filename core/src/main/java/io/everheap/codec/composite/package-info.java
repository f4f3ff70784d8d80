/**
 * Codecs made of other codecs: collections, records, enums and sealed types, and the names that
 * describe them. A name is computed from the parts of a codec and kept in the heap's type table.
 */
@NullMarked
package io.everheap.codec.composite;

import org.jspecify.annotations.NullMarked;
