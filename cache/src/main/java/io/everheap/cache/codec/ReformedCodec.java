package io.everheap.cache.codec;

import io.everheap.codec.Codec;
import io.everheap.stability.Evolving;

/**
 * A codec of keys that earlier builds stored in another form. A cache whose file may hold entries
 * of earlier builds gives them the present form before it uses the first key that has another one:
 * then equal keys have equal bytes, whichever build stored them.
 *
 * @param <T> the type of the keys
 * @since 0.9
 */
@Evolving
public interface ReformedCodec<T> extends Codec<T> {
  /**
   * Tells whether earlier builds stored a key under other bytes.
   *
   * @param key what this codec writes of a key
   * @return whether there may be an entry of the same key under other bytes
   */
  boolean isReformed(byte[] key);

  /**
   * Tells whether stored bytes may be what an earlier build wrote of such a key. Those of most
   * builds are the same in either form.
   *
   * @param stored the bytes of a key in a file
   * @return whether it is worth to read the key and to write it again
   */
  boolean mayBeFormer(byte[] stored);
}
