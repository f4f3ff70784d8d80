package io.everheap.support.architecture.sample.ring;

public class Second {
  Third next;
}
