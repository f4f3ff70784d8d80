package io.everheap.codec.described;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.RecordForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A map from the names of the components to their values in place of the record. */
public final class DescribedRecord extends RecordForm<Map<String, @Nullable Object>>
    implements DescribedType {
  private final List<Part> parts = new ArrayList<>();

  private record Part(Label label, boolean nullable, Codec<Object> codec) implements Component {}

  /** Creates a codec whose components are still missing. */
  public DescribedRecord(String type) {
    super(type);
  }

  /** Adds a component; all but primitive ones are nullable. */
  @SuppressWarnings("unchecked") // what it reads is only looked at
  public void add(Label label, boolean nullable, Codec<?> codec) {
    parts.add(new Part(label, nullable, (Codec<Object>) codec));
  }

  @Override
  public List<? extends Component> components() {
    return parts;
  }

  @Override
  protected void encode(Map<String, @Nullable Object> value, CodecOutput out) {
    for (Part part : parts) {
      String name = part.label.name();
      Object component = value.get(name);
      if (part.nullable) {
        out.writeBoolean(component != null);
      }
      if (component != null) {
        part.codec.write(component, out);
      } else if (!part.nullable) {
        throw new NullPointerException(name);
      }
    }
  }

  @Override
  protected Map<String, @Nullable Object> decode(CodecInput in) {
    Map<String, @Nullable Object> value = LinkedHashMap.newLinkedHashMap(parts.size());
    for (Part part : parts) {
      boolean present = !part.nullable || in.readBoolean();
      value.put(part.label.name(), present ? part.codec.read(in) : null);
    }
    return Collections.unmodifiableMap(value);
  }
}
