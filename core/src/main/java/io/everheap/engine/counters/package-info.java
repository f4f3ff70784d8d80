/** The counters that an open heap shows to other processes, and how these read them. */
@NullMarked
package io.everheap.engine.counters;

import org.jspecify.annotations.NullMarked;
