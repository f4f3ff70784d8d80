package io.everheap.object;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names that a field had before, at one of its methods: {@code @Was("owner") String holder();}, or
 * at the field of a class. Objects that were written under the old name keep their value.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD})
public @interface Was {
  /** The names, in any order. */
  String[] value();
}
