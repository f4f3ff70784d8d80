package io.everheap.support.architecture.sample.lower;

public class Lower {}
