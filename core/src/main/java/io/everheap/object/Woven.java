package io.everheap.object;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What the weaver writes at a durable class that it has woven. Programs do not write it. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Woven {
  /** How it was woven: a number that changes when woven classes call the library differently. */
  int value();
}
