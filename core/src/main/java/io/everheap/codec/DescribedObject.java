package io.everheap.codec;

/** References to objects whose class is not there. */
record DescribedObject(String type) implements ObjectCodec<Object> {
  @Override
  public long toWord(Object value) {
    return ((ObjectReference) value).reference();
  }

  @Override
  public Object fromWord(long word) {
    return new ObjectReference(type, word);
  }

  @Override
  public String toString() {
    return name();
  }
}
