package io.everheap.codec;

import java.util.HashMap;
import java.util.Map;

/** Reads values that an earlier version of their sealed type wrote. */
final class EarlierSealed<T> extends EarlierForm<T> {
  private final Map<String, Codec<?>> branches = new HashMap<>();

  void add(String tag, Codec<?> codec) {
    branches.put(tag, codec);
  }

  @Override
  @SuppressWarnings("unchecked") // a permitted subclass
  T decode(CodecInput in) {
    String tag = in.readUtf();
    Codec<?> branch = branches.get(tag);
    if (branch == null) {
      throw in.corrupt("found the tag '" + tag + "', which is none of " + branches.keySet());
    }
    return (T) branch.read(in);
  }
}
