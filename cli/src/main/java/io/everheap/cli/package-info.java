/** The {@code everheap} command. */
@NullMarked
package io.everheap.cli;

import org.jspecify.annotations.NullMarked;
