/**
 * Transactions: the writer lock, the write set, the commit that turns it into one log record and
 * applies it, and the versions that optimistic readers validate.
 */
@NullMarked
package io.everheap.engine.tx;

import org.jspecify.annotations.NullMarked;
