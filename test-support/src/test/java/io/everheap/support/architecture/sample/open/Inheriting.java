package io.everheap.support.architecture.sample.open;

public class Inheriting extends Hidden {}
