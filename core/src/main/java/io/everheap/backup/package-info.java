/**
 * Backups of heaps: made while transactions run, whole or only of what changed, and restored
 * anywhere. Begin with {@link io.everheap.backup.Backups}.
 */
@NullMarked
package io.everheap.backup;

import org.jspecify.annotations.NullMarked;
