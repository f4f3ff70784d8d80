package io.everheap.support.architecture.sample.open;

import io.everheap.support.architecture.sample.hidden.Secret;
import java.util.List;

public class Leaking {
  public Hidden hidden;

  protected List<Secret[]> secrets() {
    return List.of();
  }

  Secret notForUsers() {
    return new Secret();
  }
}
