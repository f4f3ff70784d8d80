package io.everheap.support.tier;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;

/**
 * A test that starts nodes of a database or of a cluster.
 *
 * <p>Sets the tag {@code nodes} for JUnit and for jqwik, each of which ignores the other's tags.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
@Tag("nodes")
@net.jqwik.api.Tag("nodes")
public @interface Nodes {}
