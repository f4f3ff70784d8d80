/** Flight recorder events: what the engine does, when, and how long it takes. */
@NullMarked
package io.everheap.engine.event;

import org.jspecify.annotations.NullMarked;
