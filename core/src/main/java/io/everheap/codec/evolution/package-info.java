/**
 * How a program uses values that another version of its types wrote: which member is which, how
 * each version is read, and what cannot be.
 */
@NullMarked
package io.everheap.codec.evolution;

import org.jspecify.annotations.NullMarked;
