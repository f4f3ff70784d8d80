package io.everheap.support.tier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test suite of another project, or a check of such a suite's result.
 *
 * <p>Sets the tag {@code conformance} for JUnit and for jqwik, each of which ignores the other's
 * tags.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("conformance")
@net.jqwik.api.Tag("conformance")
public @interface Conformance {}
