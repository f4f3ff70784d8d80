/**
 * A cache store of Infinispan on a heap: {@link io.everheap.infinispan.EverheapStore}, configured
 * by {@code io.everheap.infinispan.configuration}.
 */
@NullMarked
package io.everheap.infinispan;

import org.jspecify.annotations.NullMarked;
