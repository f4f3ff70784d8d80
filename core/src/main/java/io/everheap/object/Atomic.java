package io.everheap.object;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes the body of a method of a durable type one transaction, as {@code Heap.transact} does: all
 * or nothing, and durable when it returns. What it throws undoes it and reaches the caller. Within
 * another transaction it joins that one, and undoes only itself.
 *
 * <pre>{@code
 * @Atomic
 * void transferTo(Account other, long amount) {
 *   balance -= amount;
 *   other.balance += amount;
 * }
 * }</pre>
 *
 * <p>The heap is that of the object. A {@code static} method of a durable class takes the heap of
 * its first argument that is a durable object and not null, and must have a parameter for one. On a
 * type it means all methods with a body that the type itself declares and that are neither private
 * nor static. It is not inherited: a method that overrides another says for itself whether it is
 * atomic. Elsewhere than in durable types use {@code Heap.transact}: nobody would notice if such a
 * class were not woven.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Atomic {}
