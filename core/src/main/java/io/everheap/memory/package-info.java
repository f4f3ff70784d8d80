/**
 * Memory and media: the layer through which every load, store, force and sync passes, and the only
 * package that uses file channels.
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.memory;

import org.jspecify.annotations.NullMarked;
