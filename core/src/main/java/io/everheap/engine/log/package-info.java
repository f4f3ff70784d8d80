/**
 * The redo log: records, the ring that survives a killed process, the segments that survive a power
 * loss, and reading them back.
 *
 * <p>Every committed transaction is one record of one or more parts ({@link
 * io.everheap.engine.log.PartLayout}). A log sequence number (LSN) is a logical byte offset in the
 * stream of parts; it is never used twice within an epoch for different bytes. On byte-addressable
 * media the stream is in mapped segments ({@link io.everheap.engine.log.LogLayout}); on files it is
 * first copied to a ring ({@link io.everheap.engine.log.RingLayout}) and then written to segments
 * in batches ({@link io.everheap.engine.log.BatchLayout}).
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.engine.log;

import org.jspecify.annotations.NullMarked;
