/**
 * The common parts of a heap's redo log and a journal, independent of their records: making records
 * durable ({@link io.everheap.log.LogSync}), the headers and files of segments ({@link
 * io.everheap.log.SegmentLayout}, {@link io.everheap.log.SegmentFactory}), and the checksums of
 * records ({@link io.everheap.log.RecordSeal}). Not for users of the library.
 */
@NullMarked
package io.everheap.log;

import org.jspecify.annotations.NullMarked;
