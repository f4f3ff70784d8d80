/** The keys of encrypted heaps, and where they come from. */
@NullMarked
package io.everheap.encryption;

import org.jspecify.annotations.NullMarked;
