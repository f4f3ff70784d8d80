/** Bookings in a journal, balances in a heap. */
@org.jspecify.annotations.NullMarked
package io.everheap.samples.ledger;
