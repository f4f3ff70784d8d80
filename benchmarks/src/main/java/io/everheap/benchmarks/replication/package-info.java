/** What replicas and backups cost, and how fast they are. */
@NullMarked
package io.everheap.benchmarks.replication;

import org.jspecify.annotations.NullMarked;
