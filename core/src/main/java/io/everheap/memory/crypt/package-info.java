/**
 * A medium that encrypts and authenticates what reaches another one. To the layers above it is an
 * ordinary file medium, with the same promises about crashes.
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.memory.crypt;

import org.jspecify.annotations.NullMarked;
