/** Priority queues and work queues. */
@NullMarked
package io.everheap.structure.queue;

import org.jspecify.annotations.NullMarked;
