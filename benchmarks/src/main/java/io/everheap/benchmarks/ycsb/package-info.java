/** YCSB, the Yahoo Cloud Serving Benchmark, with its own client, workloads and generators. */
@NullMarked
package io.everheap.benchmarks.ycsb;

import org.jspecify.annotations.NullMarked;
