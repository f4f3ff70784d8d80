package io.everheap.infinispan.conformance;

import java.nio.file.Path;
import org.infinispan.commons.test.CommonsTestingUtil;

/** Directories of tests. */
final class Directories {
  private Directories() {}

  static Path of(Class<?> test) {
    return Path.of(CommonsTestingUtil.tmpDirectory(test));
  }
}
