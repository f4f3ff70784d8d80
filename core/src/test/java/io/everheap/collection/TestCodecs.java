package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;

/** The codecs that these tests use. */
final class TestCodecs {
  static final WordCodec<Long> LONG = Codecs.LONG;
  static final Codec<String> STRING = Codecs.STRING;
  static final Codec<byte[]> BYTES = Codecs.BYTES;

  private TestCodecs() {}
}
