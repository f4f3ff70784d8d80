package io.everheap.collection;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.WordCodec;

/** The codecs that these tests use. */
public final class TestCodecs {
  public static final WordCodec<Long> LONG = Codecs.LONG;
  public static final Codec<String> STRING = Codecs.STRING;
  public static final Codec<byte[]> BYTES = Codecs.BYTES;

  private TestCodecs() {}
}
