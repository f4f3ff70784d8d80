/**
 * Replicas of heaps and journals on other machines: {@link io.everheap.replication.Primary} sends
 * the log of an open heap, or the records of an open journal; {@link
 * io.everheap.replication.Replica} and {@link io.everheap.replication.JournalReplica} follow it,
 * serve reads, and take over.
 */
@NullMarked
package io.everheap.replication;

import org.jspecify.annotations.NullMarked;
