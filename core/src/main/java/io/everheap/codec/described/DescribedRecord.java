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

/** A codec of records, represented by maps from the names of the components to their values. */
public final class DescribedRecord extends RecordForm<Map<String, @Nullable Object>>
    implements DescribedType {
  private final List<Component> components = new ArrayList<>();

  /** Creates a codec whose components are still missing. */
  public DescribedRecord(String type) {
    super(type);
  }

  /** Adds a component; all but primitive ones are nullable. */
  @SuppressWarnings("unchecked") // the values are used as objects only
  public void add(Label label, boolean nullable, Codec<?> codec) {
    components.add(new Component(label, nullable, (Codec<Object>) codec));
  }

  @Override
  public List<Component> components() {
    return components;
  }

  @Override
  protected void encode(Map<String, @Nullable Object> value, CodecOutput out) {
    for (Component component : components) {
      String name = component.label().name();
      Object part = value.get(name);
      if (component.nullable()) {
        out.writeBoolean(part != null);
      }
      if (part != null) {
        component.codec().write(part, out);
      } else if (!component.nullable()) {
        throw new NullPointerException(name);
      }
    }
  }

  @Override
  protected Map<String, @Nullable Object> decode(CodecInput in) {
    Map<String, @Nullable Object> value = LinkedHashMap.newLinkedHashMap(components.size());
    for (Component component : components) {
      boolean present = !component.nullable() || in.readBoolean();
      value.put(component.label().name(), present ? component.codec().read(in) : null);
    }
    return Collections.unmodifiableMap(value);
  }
}
