/**
 * Checks of whole structures, and the search for what a damaged one has lost.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.check;

import org.jspecify.annotations.NullMarked;
