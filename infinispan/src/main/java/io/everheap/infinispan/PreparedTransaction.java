package io.everheap.infinispan;

import io.everheap.stability.Evolving;
import java.util.List;
import org.infinispan.commons.io.ByteBuffer;

/**
 * A transaction that the store prepared, and that was neither committed nor rolled back.
 *
 * @param id the transaction's XID as Infinispan prints it, or a random number if its manager tells
 *     none
 * @param keys the marshalled keys that it changes
 * @since 0.9
 */
@Evolving
public record PreparedTransaction(String id, List<ByteBuffer> keys) {
  /** Copies the keys. */
  public PreparedTransaction {
    keys = List.copyOf(keys);
  }
}
