/** What it costs to encrypt a heap. */
@NullMarked
package io.everheap.benchmarks.encryption;

import org.jspecify.annotations.NullMarked;
