package io.everheap.support.tier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that drives a web browser.
 *
 * <p>Sets the tag {@code browser} for JUnit and for jqwik, each of which ignores the other's tags.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("browser")
@net.jqwik.api.Tag("browser")
public @interface Browser {}
