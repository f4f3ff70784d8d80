package io.everheap.support.architecture.sample.ring;

public class Fourth {
  First next;
}
