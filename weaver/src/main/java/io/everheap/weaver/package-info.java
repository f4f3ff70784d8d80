/**
 * Turns plain classes marked with {@code @Durable} into classes whose fields live in a heap. {@link
 * io.everheap.weaver.DirectoryWeaver} does it for the classes of a build, {@link
 * io.everheap.weaver.Agent} for those that a program loads.
 */
@NullMarked
package io.everheap.weaver;

import org.jspecify.annotations.NullMarked;
