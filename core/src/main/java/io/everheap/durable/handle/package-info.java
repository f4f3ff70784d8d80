/**
 * Handles of objects, and what reads, writes, makes and frees the objects that they stand for. Each
 * heap has an {@link io.everheap.durable.handle.ObjectMemory}, each durable type of the program in
 * a heap a {@link io.everheap.durable.handle.BoundType}.
 */
@NullMarked
package io.everheap.durable.handle;

import org.jspecify.annotations.NullMarked;
