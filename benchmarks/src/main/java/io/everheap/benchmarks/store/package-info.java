/** Key-value stores behind one narrow interface, so that one client can measure all of them. */
@NullMarked
package io.everheap.benchmarks.store;

import org.jspecify.annotations.NullMarked;
