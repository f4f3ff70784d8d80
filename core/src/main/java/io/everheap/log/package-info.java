/**
 * What the redo log of a heap and a journal share, of whatever their records are: making what was
 * appended durable ({@link io.everheap.log.LogSync}), the header and the files of segments ({@link
 * io.everheap.log.SegmentLayout}, {@link io.everheap.log.SegmentFactory}), and checksums of records
 * ({@link io.everheap.log.RecordSeal}). Not for users of the library.
 */
@NullMarked
package io.everheap.log;

import org.jspecify.annotations.NullMarked;
