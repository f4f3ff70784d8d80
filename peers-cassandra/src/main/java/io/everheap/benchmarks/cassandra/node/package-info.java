/** A node of Cassandra in the process of a benchmark. */
@org.jspecify.annotations.NullMarked
package io.everheap.benchmarks.cassandra.node;
