/**
 * Replicas of a heap on other machines: {@link io.everheap.replication.Primary} sends the log of an
 * open heap, {@link io.everheap.replication.Replica} follows it, serves reads, and takes over.
 */
@NullMarked
package io.everheap.replication;

import org.jspecify.annotations.NullMarked;
