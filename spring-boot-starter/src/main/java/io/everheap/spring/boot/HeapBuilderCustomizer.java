package io.everheap.spring.boot;

import io.everheap.HeapBuilder;

/**
 * A bean that changes the settings of the heap before it is opened, for what has no property, such
 * as codecs. Called once, in the thread that makes the beans, after the properties were applied.
 */
@FunctionalInterface
public interface HeapBuilderCustomizer {
  /**
   * Changes settings.
   *
   * @param builder of the heap
   */
  void customize(HeapBuilder builder);
}
