package io.everheap.support.architecture.sample.open;

public class Clean {
  public Inheriting inheriting() {
    return new Inheriting();
  }
}
