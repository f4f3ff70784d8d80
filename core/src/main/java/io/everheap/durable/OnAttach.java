package io.everheap.durable;

import io.everheap.stability.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method of a durable class that restores its {@code transient} fields: it runs whenever a
 * handle is made of an object that is in the heap, since no constructor runs then.
 *
 * <pre>{@code
 * private transient Pattern compiled;
 *
 * @OnAttach
 * private void compile() {
 *   compiled = Pattern.compile(source);
 * }
 * }</pre>
 *
 * <p>The method has no parameters and returns nothing. Methods of superclasses run first. An object
 * may have any number of handles, and each has transient fields of its own, unless {@code
 * HeapBuilder.identityCache} is on. The method must not follow references that lead back to its
 * object, which would attach it again.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Stable
public @interface OnAttach {}
