/**
 * The home image: the bytes of every committed block, mapped in extents, with the pages that differ
 * from the file and the superblocks that say where replay starts.
 */
@NullMarked
package io.everheap.engine.home;

import org.jspecify.annotations.NullMarked;
