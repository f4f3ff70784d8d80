package io.everheap.support.tier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that takes long because it tries many states, faults, kills or random inputs.
 *
 * <p>Sets the tag {@code campaign} for JUnit and for jqwik, each of which ignores the other's tags.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("campaign")
@net.jqwik.api.Tag("campaign")
public @interface Campaign {}
