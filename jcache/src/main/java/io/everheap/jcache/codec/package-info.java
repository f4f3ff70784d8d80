/** Keys and values to bytes, for arbitrary types. */
@NullMarked
package io.everheap.jcache.codec;

import org.jspecify.annotations.NullMarked;
