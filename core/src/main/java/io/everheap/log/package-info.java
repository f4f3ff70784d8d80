/**
 * What every log on a medium needs, of whatever its records are: waiting for durable bytes in
 * groups, syncing in time, and seeds of checksums. Not for users of the library.
 */
@NullMarked
package io.everheap.log;

import org.jspecify.annotations.NullMarked;
