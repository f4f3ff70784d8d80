/** Values of every width at any offset of a block, and copies between blocks and other memory. */
@NullMarked
package io.everheap.engine.bytes;

import org.jspecify.annotations.NullMarked;
