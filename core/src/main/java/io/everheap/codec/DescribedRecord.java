package io.everheap.codec;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The bytes of {@link RecordCodec}, with a map from names to values in place of the record. */
final class DescribedRecord extends StructuredCodec<Map<String, @Nullable Object>> {
  private final String type;
  private final List<Component> components = new ArrayList<>();

  private record Component(Label label, boolean nullable, Codec<Object> codec) {
    String name() {
      return label.name();
    }
  }

  /** Creates a codec whose components are still missing. */
  DescribedRecord(String type) {
    this.type = type;
  }

  /** Adds a component; all but primitive ones are nullable. */
  void add(Label label, boolean nullable, Codec<Object> codec) {
    components.add(new Component(label, nullable, codec));
  }

  /** Name of the class, with its type arguments. */
  String type() {
    return type;
  }

  /** Names and ids of the components. */
  List<Label> labels() {
    return components.stream().map(Component::label).toList();
  }

  boolean isNullable(int part) {
    return components.get(part).nullable;
  }

  @Override
  String head() {
    return "record " + type;
  }

  @Override
  boolean declared() {
    return true;
  }

  @Override
  List<Codec<?>> parts() {
    return components.stream().<Codec<?>>map(Component::codec).toList();
  }

  @Override
  String label(int part) {
    Component component = components.get(part);
    return (component.nullable ? "%? " : "% ") + component.label.text(part);
  }

  @Override
  void encode(Map<String, @Nullable Object> value, CodecOutput out) {
    for (Component component : components) {
      Object part = value.get(component.name());
      if (component.nullable) {
        out.writeBoolean(part != null);
      }
      if (part != null) {
        component.codec.write(part, out);
      } else if (!component.nullable) {
        throw new NullPointerException(component.name());
      }
    }
  }

  @Override
  Map<String, @Nullable Object> decode(CodecInput in) {
    Map<String, @Nullable Object> value = LinkedHashMap.newLinkedHashMap(components.size());
    for (Component component : components) {
      boolean present = !component.nullable || in.readBoolean();
      value.put(component.name(), present ? component.codec.read(in) : null);
    }
    return Collections.unmodifiableMap(value);
  }
}
