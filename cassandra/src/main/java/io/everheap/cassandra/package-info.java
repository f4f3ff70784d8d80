/**
 * A memtable of Apache Cassandra that keeps its tables in a {@link io.everheap.store.ShardedStore}.
 */
@org.jspecify.annotations.NullMarked
package io.everheap.cassandra;
