/**
 * Durable heaps: how a program opens one, changes it in transactions and chooses how durable they
 * are.
 *
 * <p>A heap is a directory whose contents outlive the process. This package is what users import
 * first; everything else is reached from it.
 */
@NullMarked
package io.everheap;

import org.jspecify.annotations.NullMarked;
