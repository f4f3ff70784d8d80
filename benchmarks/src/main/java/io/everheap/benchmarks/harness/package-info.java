/** How things are measured: JMH forks, worker processes that take turns, temporary directories. */
@NullMarked
package io.everheap.benchmarks.harness;

import org.jspecify.annotations.NullMarked;
