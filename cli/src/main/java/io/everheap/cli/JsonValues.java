package io.everheap.cli;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.RecordForm;
import io.everheap.codec.described.DescribedEnum;
import io.everheap.codec.described.DescribedRecord;
import io.everheap.codec.described.DescribedSealed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes values of JSON for codecs that were described by their names: the inverse of {@link Json}.
 * References to objects and structures, and arrays of primitives, cannot be given.
 */
final class JsonValues {
  private JsonValues() {}

  /**
   * Reads an argument: a text as it stands, or as a JSON string if it begins with a quotation mark,
   * where the type is a string in JSON; otherwise JSON.
   *
   * @throws RefusedException if it is no value of the codec
   */
  static @Nullable Object parse(Codec<?> codec, String argument) {
    boolean plain =
        (Scalars.isText(codec) || codec instanceof DescribedEnum) && !argument.startsWith("\"");
    return value(codec, plain ? argument : JsonTree.parse(argument));
  }

  /** Makes a value of a document that {@link JsonTree} read. */
  static @Nullable Object value(Codec<?> codec, @Nullable Object json) {
    if (Scalars.knows(codec)) {
      try {
        return Scalars.value(codec, json);
      } catch (RuntimeException e) { // of many parsers, each with exceptions of its own
        throw refused(codec, json);
      }
    }
    return switch (codec) {
      case DescribedEnum type -> {
        if (type.labels().stream().noneMatch(label -> label.name().equals(json))) {
          throw refused(codec, json);
        }
        yield json;
      }
      case DescribedRecord type -> record(type, json);
      case DescribedSealed type -> sealed(type, json);
      case CompositeCodec<?> composite -> composite(composite, json);
      default ->
          throw new RefusedException("a value of type " + codec.name() + " has no JSON form");
    };
  }

  private static Object record(DescribedRecord type, @Nullable Object json) {
    if (!(json instanceof Map<?, ?> given)) {
      throw refused(type, json);
    }
    List<String> names = type.labels().stream().map(Label::name).toList();
    for (Object name : given.keySet()) {
      if (!names.contains(name)) {
        throw new RefusedException(type.type() + " has no component " + name + ", but " + names);
      }
    }
    Map<String, @Nullable Object> value = new LinkedHashMap<>();
    for (RecordForm.Component component : type.components()) {
      String name = component.label().name();
      Object part = given.get(name);
      if (part == null && !component.nullable() && !isOptional(component.codec())) {
        throw new RefusedException(type.type() + " needs the component " + name);
      }
      value.put(
          name,
          part == null && !isOptional(component.codec()) ? null : value(component.codec(), part));
    }
    return value;
  }

  /** Null in JSON is then an empty one, not none. */
  private static boolean isOptional(Codec<?> codec) {
    return codec instanceof CompositeCodec<?> composite && composite.head().equals("optional");
  }

  private static Object sealed(DescribedSealed type, @Nullable Object json) {
    if (json instanceof Map<?, ?> given && given.size() == 1) {
      Map.Entry<?, ?> only = given.entrySet().iterator().next();
      for (int i = 0; i < type.labels().size(); i++) {
        String tag = type.labels().get(i).name();
        if (tag.equals(only.getKey())) {
          return Map.of(tag, required(type.parts().get(i), only.getValue()));
        }
      }
    }
    throw refused(type, json);
  }

  private static @Nullable Object composite(CompositeCodec<?> codec, @Nullable Object json) {
    Codec<?> first = codec.parts().getFirst();
    return switch (codec.head()) {
      case "nullable" -> json == null ? null : value(first, json);
      case "optional" -> json == null ? Optional.empty() : Optional.of(required(first, json));
      case "list" -> elements(codec, json);
      case "array" -> elements(codec, json).toArray();
      case "set" -> {
        List<@Nullable Object> elements = elements(codec, json);
        Set<@Nullable Object> set = new LinkedHashSet<>(elements);
        if (set.size() < elements.size()) {
          throw new RefusedException("a set has each element once");
        }
        yield set;
      }
      case "map" -> map(codec, json);
      case "versions" -> value(codec.parts().getLast(), json);
      default ->
          throw new RefusedException("a value of type " + codec.name() + " has no JSON form");
    };
  }

  private static List<@Nullable Object> elements(CompositeCodec<?> codec, @Nullable Object json) {
    if (!(json instanceof List<?> given)) {
      throw refused(codec, json);
    }
    List<@Nullable Object> elements = new ArrayList<>();
    for (Object element : given) {
      elements.add(value(codec.parts().getFirst(), element));
    }
    return elements;
  }

  private static Object map(CompositeCodec<?> codec, @Nullable Object json) {
    Codec<?> key = codec.parts().getFirst();
    Codec<?> mapped = codec.parts().getLast();
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    if (json instanceof Map<?, ?> given && key.equals(Codecs.STRING)) {
      given.forEach((name, value) -> map.put(name, value(mapped, value)));
      return map;
    }
    if (json instanceof Map<?, ?> none && none.isEmpty()) {
      return map; // Json writes an empty map as an object, whatever its keys are
    }
    if (!(json instanceof List<?> entries)) {
      throw refused(codec, json);
    }
    for (Object entry : entries) {
      if (!(entry instanceof Map<?, ?> pair) || !pair.keySet().equals(Set.of("key", "value"))) {
        throw refused(codec, entry);
      }
      map.put(value(key, pair.get("key")), value(mapped, pair.get("value")));
    }
    if (map.size() < entries.size()) {
      throw new RefusedException("a map has each key once");
    }
    return map;
  }

  private static Object required(Codec<?> codec, @Nullable Object json) {
    Object value = value(codec, json);
    if (value == null) {
      throw refused(codec, null);
    }
    return value;
  }

  private static RefusedException refused(Codec<?> codec, @Nullable Object json) {
    return new RefusedException(
        String.format(
            Locale.ROOT,
            "no value of type %s: %s",
            codec.name(),
            ExportedRoot.shown(String.valueOf(json))));
  }
}
