package io.everheap.codec.described;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.SealedForm;
import java.util.Map;

/**
 * A codec of values of a sealed type, represented by maps with one entry, from the tag of the class
 * to the value.
 */
public final class DescribedSealed extends SealedForm<Map<String, Object>>
    implements DescribedType {
  /** Creates a codec whose classes are still missing. */
  public DescribedSealed(String type) {
    super(type);
  }

  /** Adds a class that values can have. */
  public void add(Label tag, Codec<?> codec) {
    add(tag, Object.class, codec);
  }

  @Override
  protected void encode(Map<String, Object> value, CodecOutput out) {
    if (value.size() != 1) {
      throw new IllegalArgumentException(
          "a value of a sealed type has one tag, not " + value.keySet());
    }
    Map.Entry<String, Object> only = value.entrySet().iterator().next();
    Branch branch = branches().get(only.getKey());
    if (branch == null) {
      throw new IllegalArgumentException(only.getKey() + " is none of " + branches().keySet());
    }
    out.writeUtf(only.getKey());
    branch.codec().write(only.getValue(), out);
  }

  @Override
  protected Map<String, Object> decode(CodecInput in) {
    Branch branch = readTag(in);
    return Map.of(branch.tag(), branch.codec().read(in));
  }
}
