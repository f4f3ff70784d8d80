/**
 * Raw blocks of memory for people who build their own structures: allocated, addressed by handles,
 * read and written at any offset, in transactions. {@link io.everheap.block.Blocks} is where to
 * begin.
 */
@NullMarked
package io.everheap.block;

import org.jspecify.annotations.NullMarked;
