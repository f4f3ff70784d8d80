/** The examination of a directory and its machine: can a heap keep its promises there. */
@NullMarked
package io.everheap.cli.doctor;

import org.jspecify.annotations.NullMarked;
