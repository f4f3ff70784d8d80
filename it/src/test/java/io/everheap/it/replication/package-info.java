/** Primaries and replicas in processes of their own. */
@NullMarked
package io.everheap.it.replication;

import org.jspecify.annotations.NullMarked;
