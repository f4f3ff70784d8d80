/** Bindings of other stores for the benchmarks, each as its own documentation recommends it. */
@NullMarked
package io.everheap.benchmarks.peers;

import org.jspecify.annotations.NullMarked;
