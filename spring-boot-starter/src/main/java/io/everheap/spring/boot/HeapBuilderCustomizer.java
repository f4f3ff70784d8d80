package io.everheap.spring.boot;

import io.everheap.HeapBuilder;
import io.everheap.stability.Stable;

/**
 * A bean that changes the settings of the heap before it is opened, for what has no property, such
 * as codecs. Called once, in the thread that makes the beans, after the properties were applied.
 *
 * @since 0.9
 */
@FunctionalInterface
@Stable
public interface HeapBuilderCustomizer {
  /**
   * Changes settings.
   *
   * @param builder of the heap
   */
  void customize(HeapBuilder builder);
}
