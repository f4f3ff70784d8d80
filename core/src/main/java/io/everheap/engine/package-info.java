/**
 * The transaction engine: write sets, the redo log, checkpoints, recovery, the allocator, roots and
 * the type table.
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.engine;

import org.jspecify.annotations.NullMarked;
