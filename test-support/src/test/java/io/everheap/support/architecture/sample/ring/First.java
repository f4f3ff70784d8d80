package io.everheap.support.architecture.sample.ring;

public class First {
  Second next;
}
