/** The tables of names that a heap keeps: types by number, roots by name. */
@NullMarked
package io.everheap.structure.names;

import org.jspecify.annotations.NullMarked;
