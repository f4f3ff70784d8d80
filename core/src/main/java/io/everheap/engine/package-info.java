/**
 * The transaction engine: opening, recovery, checkpoints and closing of a heap. The packages below
 * hold transactions, the redo log, the home image and the allocator.
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.engine;

import org.jspecify.annotations.NullMarked;
