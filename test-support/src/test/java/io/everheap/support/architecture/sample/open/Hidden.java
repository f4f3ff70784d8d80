package io.everheap.support.architecture.sample.open;

import io.everheap.support.architecture.sample.hidden.Secret;

/** Users cannot name it, but inherit its methods. */
class Hidden {
  public Secret inherited() {
    return new Secret();
  }
}
