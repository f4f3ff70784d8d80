/**
 * The home image: the bytes of every committed block, mapped in extents; the sets of pages that
 * differ from the file; their checksums; and the superblocks.
 */
@NullMarked
package io.everheap.engine.home;

import org.jspecify.annotations.NullMarked;
