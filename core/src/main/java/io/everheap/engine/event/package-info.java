/** Flight recorder events of the engine's operations, with their durations. */
@NullMarked
package io.everheap.engine.event;

import org.jspecify.annotations.NullMarked;
