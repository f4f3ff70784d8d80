package io.everheap.stability;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public type, with the types nested in it, that changes incompatibly only in a new major
 * version. A minor version may add methods to classes, default methods to interfaces, and constants
 * to enums.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Stable
public @interface Stable {}
