package io.everheap.cache.store;

import io.everheap.cache.policy.Policy;
import io.everheap.cache.table.SlotIndex;

/**
 * What the parts of a store share.
 *
 * @param turn the lock
 * @param slots of all entries
 * @param space their blocks; guarded by the lock
 * @param index from hashes to slots; changed under the lock
 * @param policy which entries make room; guarded by the lock, but for accesses
 * @param counters what happened
 */
record Base(
    Turn turn, Slots slots, Space space, SlotIndex index, Policy policy, Counters counters) {}
