/** Output to a terminal, on which names of other programs and people must have no effect. */
@NullMarked
package io.everheap.cli.terminal;

import org.jspecify.annotations.NullMarked;
