package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.TypeDifference.Field;
import io.everheap.durable.TypeDifference.Kind;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.structure.Structures;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.StructureKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The records, enums and sealed types that the roots of a heap hold, found from the types of the
 * roots. Immutable.
 */
final class ValueTypes {
  private final List<Root> roots;

  /**
   * A value type of a root: its name, the place as text, the structure with the index of its part,
   * the type. The root's name is empty for a structure within another one.
   */
  private record Part(String root, String place, StructureKind kind, int index, String type) {}

  ValueTypes(List<Root> roots) {
    this.roots = roots;
  }

  /** Their names. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    forEach(part -> names.addAll(CodecEvolution.declared(part.type)));
    return names;
  }

  private void forEach(Consumer<Part> action) {
    for (Root root : roots) {
      StructureKind kind = Structures.KINDS.named(root.kind());
      if (kind != null) {
        List<String> types = List.copyOf(root.types().values());
        forEach(root.name(), "root \"" + root.name() + "\"", kind, types, action);
      }
    }
  }

  private static void forEach(
      String root, String place, StructureKind kind, List<String> types, Consumer<Part> action) {
    for (int i = 0; i < types.size(); i++) {
      StructureKind.Part part = kind.parts().get(i);
      if (part.codec()) {
        String type = types.get(i);
        String here = place + ", " + part.name();
        if (NestedNames.isNested(type)) {
          NestedType nested = NestedType.parse(type, Structures.KINDS);
          forEach("", here, nested.kind(), nested.types(), action);
        } else {
          action.accept(new Part(root, here, kind, i, type));
        }
      }
    }
  }

  /**
   * Returns how a class differs from its stored form.
   *
   * @throws IllegalArgumentException if it is no record, enum or sealed type
   */
  TypeDifference compare(Class<?> type, CodecRegistry codecs, ValueSamples samples) {
    if (!type.isRecord() && !type.isEnum() && !type.isSealed()) {
      throw new IllegalArgumentException(
          type.getName() + " is no record, enum or sealed type, and not marked with @Durable");
    }
    if (type.getTypeParameters().length > 0) {
      String reason = "it has type parameters: only the program can tell when it opens a root";
      return new TypeDifference(type.getName(), type.getName(), Kind.COMPATIBLE, reason, List.of());
    }
    Codec<?> codec;
    try {
      codec = codecs.forClass(type);
    } catch (UnsupportedTypeException | IllegalArgumentException e) {
      String reason = String.valueOf(e.getMessage());
      return new TypeDifference(type.getName(), type.getName(), Kind.REFUSED, reason, List.of());
    }
    List<Field> places = new ArrayList<>();
    forEach(
        part -> {
          boolean key = part.kind.isKey(part.index);
          CodecEvolution.ofPart(part.type, codec, key, part.kind.isOrdered())
              .ifPresent(
                  evolution ->
                      places.add(sampled(place(part.place, evolution), part, codec, samples)));
        });
    Kind worst = places.isEmpty() ? Kind.COMPATIBLE : Kind.SAME;
    for (Field place : places) {
      worst = place.kind().compareTo(worst) > 0 ? place.kind() : worst;
    }
    return new TypeDifference(type.getName(), type.getName(), worst, "", places);
  }

  /** Adds what decoding the first stored values shows; constructors may refuse some or all. */
  private static Field sampled(Field place, Part part, Codec<?> codec, ValueSamples samples) {
    if (place.kind() == Kind.REFUSED || part.root.isEmpty()) {
      return place;
    }
    CodecEvolution<?> evolution =
        part.kind.isKey(part.index)
            ? CodecEvolution.ofKey(part.type, codec, part.kind.isOrdered())
            : CodecEvolution.ofValue(part.type, CodecEvolution.versioned(codec));
    if (!evolution.differences().isEmpty()) {
      return place; // a part of the stored values is of this type
    }
    ValueSamples.Result result = samples.decode(part.root, part.index, evolution.codec());
    if (result.failed() == 0) {
      return place;
    }
    String which = result.failed() == result.tried() ? "all " : "";
    String meaning =
        String.format(
            Locale.ROOT,
            "%s%d of the first %d stored values are refused: %s",
            which,
            result.failed(),
            result.tried(),
            result.reason());
    Kind kind = result.failed() == result.tried() ? Kind.REFUSED : Kind.COMPATIBLE;
    return new Field(place.name(), kind, place.stored(), place.wanted(), meaning);
  }

  private static Field place(String name, CodecEvolution.Part part) {
    if (!part.differences().isEmpty()) {
      String why = String.join("; ", part.differences());
      return new Field(name, Kind.REFUSED, part.stored(), part.wanted(), why);
    }
    boolean same = Objects.equals(part.stored(), part.wanted());
    String meaning = same ? "" : "stored values keep their form, and are read as the wanted type";
    Kind kind = same ? Kind.SAME : Kind.COMPATIBLE;
    return new Field(name, kind, part.stored(), part.wanted(), meaning);
  }
}
