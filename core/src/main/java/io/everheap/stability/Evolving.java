package io.everheap.stability;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a public type, with the types nested in it, that may change incompatibly in a minor
 * version. The changelog then names the change and the replacement.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
@Stable
public @interface Evolving {}
