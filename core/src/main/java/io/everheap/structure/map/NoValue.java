package io.everheap.structure.map;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;

/** The codec of the values in the map that a set is made of: no bytes at all. */
public final class NoValue implements Codec<Boolean> {
  public static final NoValue INSTANCE = new NoValue();

  private NoValue() {}

  @Override
  public String name() {
    return "nothing";
  }

  @Override
  public void write(Boolean value, CodecOutput out) {
    // there is only one value
  }

  @Override
  public Boolean read(CodecInput in) {
    return Boolean.TRUE;
  }
}
