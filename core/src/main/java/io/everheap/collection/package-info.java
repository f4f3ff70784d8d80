/**
 * Durable collections: maps, sorted maps, lists, deques, sets, arrays and counters that live in a
 * heap and are used in place.
 */
@NullMarked
package io.everheap.collection;

import org.jspecify.annotations.NullMarked;
