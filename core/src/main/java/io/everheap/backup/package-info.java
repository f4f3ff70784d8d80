/**
 * What backups of heaps and of journals have in common: a file of checked sections, a directory of
 * such files with chains of incremental ones, a limit of the speed. It knows nothing of what the
 * sections hold.
 */
@NullMarked
package io.everheap.backup;

import org.jspecify.annotations.NullMarked;
