package io.everheap.support.architecture.sample.upper;

public class Twin {}
