/**
 * The tiers of the tests. A test without an annotation of this package is in the fast tier, which
 * {@code ./everheap test} runs.
 */
@NullMarked
package io.everheap.support.tier;

import org.jspecify.annotations.NullMarked;
