/** A simulated medium, and the tools that try the crash states of code built on a heap. */
@NullMarked
package io.everheap.testkit;

import org.jspecify.annotations.NullMarked;
