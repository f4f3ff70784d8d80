/** Events of the JDK's flight recorder. */
@NullMarked
package io.everheap.cache.event;

import org.jspecify.annotations.NullMarked;
