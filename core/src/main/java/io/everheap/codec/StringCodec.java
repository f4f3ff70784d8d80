package io.everheap.codec;

/** Texts, as {@link TextEncoding} has them. */
final class StringCodec implements Codec<String> {

  @Override
  public String name() {
    return "string";
  }

  @Override
  public void write(String value, CodecOutput out) {
    TextEncoding.write(value, out);
  }

  @Override
  public String read(CodecInput in) {
    return TextEncoding.read(in);
  }

  @Override
  public boolean canonical() {
    return true;
  }

  @Override
  public String toString() {
    return name();
  }
}
