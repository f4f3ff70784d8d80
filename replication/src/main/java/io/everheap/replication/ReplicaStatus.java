package io.everheap.replication;

import io.everheap.stability.Evolving;
import org.jspecify.annotations.Nullable;

/**
 * What a replica does.
 *
 * @param primary that it follows now; null if there is no connection
 * @param lsn of the primary's log up to which the replica has all transactions, durably; for a
 *     journal the position
 * @param lag bytes of the primary's log that it had not when it heard of the primary last
 * @param silent milliseconds since then; -1 if it never heard of one since it was opened
 * @param term that it knows
 * @param failure why it does not follow any more, for people; null if it does, or tries to
 * @param problem why the last connection ended, or was not made; null while one works, and after a
 *     promotion. If it is the same for long, a person has to look at it
 * @since 0.9
 */
@Evolving
public record ReplicaStatus(
    @Nullable String primary,
    long lsn,
    long lag,
    long silent,
    long term,
    @Nullable String failure,
    @Nullable String problem) {}
