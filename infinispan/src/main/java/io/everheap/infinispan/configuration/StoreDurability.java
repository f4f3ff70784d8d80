package io.everheap.infinispan.configuration;

import io.everheap.stability.Evolving;
import java.util.Locale;

/**
 * When a write of the store is acknowledged; see {@link io.everheap.Durability}.
 *
 * @since 0.9
 */
@Evolving
public enum StoreDurability {
  /** When it survives power loss; writes that wait together share one sync. */
  SYNC,

  /** At once: it survives the end of the process, and power loss after the interval of syncs. */
  ASYNC;

  /**
   * The durability of this name, in letters of any case.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static StoreDurability named(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
