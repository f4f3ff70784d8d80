/**
 * The append-only log: {@link io.everheap.journal.Journal} keeps records of bytes in a directory,
 * in the order in which they were appended, and gives each a number.
 *
 * <p>It stands on mapped files alone, without transactions: one append is one store of the record
 * and one step that makes it durable.
 */
@NullMarked
package io.everheap.journal;

import org.jspecify.annotations.NullMarked;
