/** A machine in memory, with processes that are killed and a storage that loses power. */
@NullMarked
package io.everheap.testkit.machine;

import org.jspecify.annotations.NullMarked;
