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
 * <p>See {@link io.everheap.object.Durable} for what such an interface can have.
 */
@NullMarked
package io.everheap.object;

import org.jspecify.annotations.NullMarked;
