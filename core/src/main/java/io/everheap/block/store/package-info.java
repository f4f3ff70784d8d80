/** What raw blocks are made of: their references, their handles, and consistent reads. */
@NullMarked
package io.everheap.block.store;

import org.jspecify.annotations.NullMarked;
