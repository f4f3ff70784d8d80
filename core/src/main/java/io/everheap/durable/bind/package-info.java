/**
 * Binds the durable interfaces and classes of a program to the types that a heap has stored, and
 * generates the classes that implement the interfaces.
 */
@NullMarked
package io.everheap.durable.bind;

import org.jspecify.annotations.NullMarked;
