/**
 * Backups: copies the pages and the log of an open heap to files, and builds heaps from them. The
 * facade is {@code io.everheap.Backups}.
 */
@NullMarked
package io.everheap.engine.backup;

import org.jspecify.annotations.NullMarked;
