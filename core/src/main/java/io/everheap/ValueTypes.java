package io.everheap;

import io.everheap.codec.Codec;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.codec.evolution.CodecEvolution;
import io.everheap.error.UnsupportedTypeException;
import io.everheap.object.TypeDifference;
import io.everheap.object.TypeDifference.Field;
import io.everheap.object.TypeDifference.Kind;
import io.everheap.structure.Structures;
import io.everheap.structure.common.NestedNames;
import io.everheap.structure.common.NestedType;
import io.everheap.structure.common.StructureKind;
import java.util.ArrayList;
import java.util.List;
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
   * A value type of a root: the place as text, the structure with the index of its part, the name.
   */
  private record Part(String place, StructureKind kind, int index, String type) {}

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
        forEach("root \"" + root.name() + "\"", kind, types, action);
      }
    }
  }

  private static void forEach(
      String place, StructureKind kind, List<String> types, Consumer<Part> action) {
    for (int i = 0; i < types.size(); i++) {
      StructureKind.Part part = kind.parts().get(i);
      if (part.codec()) {
        String type = types.get(i);
        String here = place + ", " + part.name();
        if (NestedNames.isNested(type)) {
          NestedType nested = NestedType.parse(type, Structures.KINDS);
          forEach(here, nested.kind(), nested.types(), action);
        } else {
          action.accept(new Part(here, kind, i, type));
        }
      }
    }
  }

  /**
   * Returns how a class differs from its stored form.
   *
   * @throws IllegalArgumentException if it is no record, enum or sealed type
   */
  TypeDifference compare(Class<?> type, CodecRegistry codecs) {
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
              .ifPresent(evolution -> places.add(place(part.place, evolution)));
        });
    Kind worst = places.isEmpty() ? Kind.COMPATIBLE : Kind.SAME;
    for (Field place : places) {
      worst = place.kind().compareTo(worst) > 0 ? place.kind() : worst;
    }
    return new TypeDifference(type.getName(), type.getName(), worst, "", places);
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
