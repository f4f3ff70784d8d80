/** Codecs for caches whose types are a program's own, and need not be prepared for that. */
@NullMarked
package io.everheap.cache.codec;

import org.jspecify.annotations.NullMarked;
