/** Tables of Cassandra with this and other memtables, in a node's process. */
@org.jspecify.annotations.NullMarked
package io.everheap.benchmarks.cassandra;
