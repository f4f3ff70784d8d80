package io.everheap.codec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bytes of {@link SealedCodec}, with a map from the tag to the value in place of the value. */
final class DescribedSealed extends StructuredCodec<Map<String, Object>> {
  private final String type;
  private final List<Label> labels = new ArrayList<>();
  private final Map<String, Codec<Object>> branches = new LinkedHashMap<>();

  /** Creates a codec whose branches are still missing. */
  DescribedSealed(String type) {
    this.type = type;
  }

  void add(Label tag, Codec<Object> codec) {
    labels.add(tag);
    branches.put(tag.name(), codec);
  }

  /** Name of the sealed type, with its type arguments. */
  String type() {
    return type;
  }

  /** The tags, and their ids. */
  List<Label> labels() {
    return labels;
  }

  @Override
  String head() {
    return "sealed " + type;
  }

  @Override
  boolean declared() {
    return true;
  }

  @Override
  List<Codec<?>> parts() {
    return List.copyOf(branches.values());
  }

  @Override
  String label(int part) {
    return labels.get(part).text(part) + "=%";
  }

  @Override
  void encode(Map<String, Object> value, CodecOutput out) {
    if (value.size() != 1) {
      throw new IllegalArgumentException(
          "a value of a sealed type has one tag, not " + value.keySet());
    }
    Map.Entry<String, Object> only = value.entrySet().iterator().next();
    Codec<Object> codec = branches.get(only.getKey());
    if (codec == null) {
      throw new IllegalArgumentException(only.getKey() + " is none of " + branches.keySet());
    }
    out.writeUtf(only.getKey());
    codec.write(only.getValue(), out);
  }

  @Override
  Map<String, Object> decode(CodecInput in) {
    String tag = in.readUtf();
    Codec<Object> codec = branches.get(tag);
    if (codec == null) {
      throw in.corrupt("found the tag '" + tag + "', which is none of " + branches.keySet());
    }
    return Map.of(tag, codec.read(in));
  }
}
