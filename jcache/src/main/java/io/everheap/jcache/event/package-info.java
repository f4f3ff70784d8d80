/** Listeners and what they are told. */
@NullMarked
package io.everheap.jcache.event;

import org.jspecify.annotations.NullMarked;
