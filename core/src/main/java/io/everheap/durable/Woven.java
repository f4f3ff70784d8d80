package io.everheap.durable;

import io.everheap.stability.Stable;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a durable class that was woven; only the weaver adds it.
 *
 * @since 0.9
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Stable
public @interface Woven {
  /** Version of the code, which changes when woven classes call the library differently. */
  int value();
}
