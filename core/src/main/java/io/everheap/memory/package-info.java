/**
 * Memory and media: the only place that touches memory segments and file channels, and the small
 * layer through which every load, store, force and sync passes.
 *
 * <p>Exported to the modules of this project only.
 */
@NullMarked
package io.everheap.memory;

import org.jspecify.annotations.NullMarked;
