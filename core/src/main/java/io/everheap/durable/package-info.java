/**
 * Durable objects: interfaces whose implementations keep their fields in a heap.
 *
 * <pre>{@code
 * @Durable
 * public interface Account {
 *   long balance();
 *   void balance(long value);
 *   default void deposit(long amount) { balance(balance() + amount); }
 * }
 * }</pre>
 *
 * <p>See {@link io.everheap.durable.Durable} for what such an interface can have.
 */
@NullMarked
package io.everheap.durable;

import org.jspecify.annotations.NullMarked;
