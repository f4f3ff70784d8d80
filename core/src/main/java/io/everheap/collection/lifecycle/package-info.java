/**
 * Creation, growth and freeing of structures; what is too large to be freed in one transaction is
 * freed in steps.
 *
 * <p>Not exported.
 */
@NullMarked
package io.everheap.collection.lifecycle;

import org.jspecify.annotations.NullMarked;
