package io.everheap.durable;

import io.everheap.stability.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a durable type as one transaction, as {@code Heap.transact} does: all or
 * nothing, and durable when it returns. An exception undoes it and reaches the caller. Within
 * another transaction it joins that one, and an exception undoes only the method.
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
 * type the annotation means all methods with a body that the type itself declares and that are
 * neither private nor static. It is not inherited: a method that overrides another needs its own.
 * In other classes use {@code Heap.transact}: the annotation would have no effect, silently, if
 * such a class were not woven.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Stable
public @interface Atomic {}
