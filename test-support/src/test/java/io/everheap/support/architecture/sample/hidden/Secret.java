package io.everheap.support.architecture.sample.hidden;

/** Public, in a package that is not. */
public class Secret {}
