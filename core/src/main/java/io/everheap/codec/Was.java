package io.everheap.codec;

import io.everheap.stability.Stable;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Former names of a declaration, so that what was written under an old name keeps its value:
 *
 * <ul>
 *   <li>a field of a durable interface or class: {@code @Was("owner") String holder();}
 *   <li>a component of a record: {@code record Price(@Was("cents") long amount) {}}
 *   <li>a constant of an enum that is part of a record: {@code @Was("OPEN") NEW}
 *   <li>a record, an enum or a sealed type that was renamed or moved:
 *       {@code @Was("old.pkg.Price")}, the binary name of the class
 * </ul>
 *
 * A durable interface or class that is renamed states its former name by {@code @Durable(name =
 * ...)} instead. Keep former names as long as heaps may have values that were written under them.
 *
 * @since 0.9
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.FIELD, ElementType.TYPE, ElementType.RECORD_COMPONENT})
@Stable
public @interface Was {
  /** The former names, in any order. */
  String[] value();
}
