/**
 * Maps whose entries are spread over several heaps, the <em>shards</em> of a {@link
 * io.everheap.store.ShardedStore}. Each heap has its own log and its own writer, so that writers of
 * different shards run in parallel.
 */
@NullMarked
package io.everheap.store;

import org.jspecify.annotations.NullMarked;
