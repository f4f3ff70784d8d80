/** Which entry makes room for the next one. */
@NullMarked
package io.everheap.cache.policy;

import org.jspecify.annotations.NullMarked;
