package io.everheap.codec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the stored versions of a type, the oldest first, with the one of the program: what the
 * program's is to be called among them, how each of them is read, and what cannot be.
 */
final class EarlierForms {
  private final List<Codec<Object>> versions;
  private final List<Map<String, Codec<Object>>> declared = new ArrayList<>();
  private final IdentityHashMap<Codec<?>, List<Label>> labels = new IdentityHashMap<>();
  private final IdentityHashMap<Codec<?>, Codec<?>> shapes = new IdentityHashMap<>();
  private final Map<Pair, Codec<?>> readers = new HashMap<>();
  private final List<String> differences;

  private record Pair(Codec<?> stored, Codec<?> wanted) {}

  /**
   * A comparison.
   *
   * @param differences gets a line for each thing that cannot be read
   */
  EarlierForms(List<Codec<Object>> versions, List<String> differences) {
    this.versions = versions;
    this.differences = differences;
    versions.forEach(version -> declared.add(types(version)));
  }

  /** The records, enums and sealed types that a description has, by their names. */
  static Map<String, Codec<Object>> types(Codec<Object> version) {
    Map<String, Codec<Object>> types = new LinkedHashMap<>();
    collect(version, types);
    return types;
  }

  private static void collect(Codec<?> codec, Map<String, Codec<Object>> types) {
    String type = TypeNames.of(codec);
    if (type != null && types.putIfAbsent(type, erased(codec)) != null) {
      return;
    }
    if (codec instanceof StructuredCodec<?> structured) {
      structured.parts().forEach(part -> collect(part, types));
    }
  }

  /** Codecs that read the values of the versions. */
  @SuppressWarnings("unchecked") // they read values of the wanted type
  <T> List<Codec<T>> readers(Codec<T> wanted) {
    List<Codec<T>> all = new ArrayList<>();
    for (Codec<Object> version : versions) {
      all.add((Codec<T>) reader(version, wanted, ""));
    }
    return all;
  }

  /** A codec with the name that the wanted one is to have among the versions. */
  Codec<?> shape(Codec<?> wanted) {
    Codec<?> known = shapes.get(wanted);
    if (known == null) {
      known = newShape(wanted);
      shapes.put(wanted, known);
    }
    return known;
  }

  private Codec<?> newShape(Codec<?> wanted) {
    return switch (wanted) {
      case RecordCodec<?> record -> recordShape(record);
      case SealedCodec<?> sealed -> sealedShape(sealed);
      case EnumCodec<?> constants ->
          new DescribedEnum(constants.type().getName(), labels(constants));
      case StructuredCodec<?> other ->
          other.with(other.parts().stream().<Codec<?>>map(this::shape).toList());
      default -> wanted;
    };
  }

  private Codec<?> recordShape(RecordCodec<?> record) {
    var shape = new DescribedRecord(record.type().toString());
    shapes.put(record, shape); // it may refer to itself
    List<Codec<?>> parts = record.parts();
    for (int i = 0; i < parts.size(); i++) {
      shape.add(labels(record).get(i), !record.isPrimitive(i), erased(shape(parts.get(i))));
    }
    return shape;
  }

  private Codec<?> sealedShape(SealedCodec<?> sealed) {
    var shape = new DescribedSealed(sealed.type().toString());
    shapes.put(sealed, shape);
    List<Codec<?>> parts = sealed.parts();
    for (int i = 0; i < parts.size(); i++) {
      shape.add(labels(sealed).get(i), erased(shape(parts.get(i))));
    }
    return shape;
  }

  @SuppressWarnings("unchecked") // it is only described, or reads what is only looked at
  private static Codec<Object> erased(Codec<?> codec) {
    return (Codec<Object>) codec;
  }

  /** The labels of the members of a declared type. */
  private List<Label> labels(Codec<?> wanted) {
    List<Label> known = labels.get(wanted);
    if (known == null) {
      List<List<Label>> earlier = new ArrayList<>();
      for (Map<String, Codec<Object>> types : declared) {
        types.forEach(
            (type, codec) -> {
              if (TypeNames.isFormer(type, wanted)) {
                earlier.add(TypeNames.labels(codec));
              }
            });
      }
      known = Label.match(earlier, TypeNames.members(wanted));
      labels.put(wanted, known);
    }
    return known;
  }

  private Codec<?> reader(Codec<?> stored, Codec<?> wanted, String where) {
    Pair pair = new Pair(stored, wanted);
    Codec<?> known = readers.get(pair);
    if (known == null) {
      known = stored.name().equals(shape(wanted).name()) ? wanted : newReader(pair, where);
      readers.put(pair, known);
    }
    return known;
  }

  private Codec<?> newReader(Pair pair, String where) {
    Codec<?> stored = pair.stored;
    String type = TypeNames.of(stored);
    if (type != null && TypeNames.isFormer(type, pair.wanted)) {
      if (stored instanceof DescribedRecord of && pair.wanted instanceof RecordCodec<?> wanted) {
        return record(pair, of, wanted);
      }
      if (stored instanceof DescribedSealed of && pair.wanted instanceof SealedCodec<?> wanted) {
        return sealed(pair, of, wanted);
      }
      if (stored instanceof DescribedEnum of && pair.wanted instanceof EnumCodec<?> wanted) {
        return enumeration(of, wanted);
      }
    }
    if (stored instanceof StructuredCodec<?> of
        && pair.wanted instanceof StructuredCodec<?> wanted
        && !wanted.declared()
        && of.head().equals(wanted.head())) {
      List<Codec<?>> parts = new ArrayList<>();
      for (int i = 0; i < wanted.parts().size(); i++) {
        parts.add(reader(of.parts().get(i), wanted.parts().get(i), where));
      }
      return wanted.with(parts);
    }
    Codec<?> wider = EarlierNumber.of(stored, pair.wanted);
    return wider != null ? wider : differ(where, stored, pair.wanted, "");
  }

  private <R> Codec<R> record(Pair pair, DescribedRecord stored, RecordCodec<R> wanted) {
    var reader = new EarlierRecord<>(wanted);
    readers.put(pair, reader);
    List<Codec<?>> parts = stored.parts();
    for (int i = 0; i < parts.size(); i++) {
      Label label = stored.labels().get(i);
      int target = Label.position(labels(wanted), label.id());
      Codec<?> part = parts.get(i);
      if (target >= 0) {
        String where = "component " + label.name() + " of " + stored.type();
        Codec<?> to = wanted.parts().get(target);
        boolean lost = stored.isNullable(i) && wanted.isPrimitive(target);
        part = lost ? differ(where, part, to, " or null") : reader(part, to, where);
      }
      reader.add(stored.isNullable(i), target, part);
    }
    return reader;
  }

  private <S> Codec<S> sealed(Pair pair, DescribedSealed stored, SealedCodec<S> wanted) {
    var reader = new EarlierSealed<S>();
    readers.put(pair, reader);
    for (int i = 0; i < stored.labels().size(); i++) {
      Label label = stored.labels().get(i);
      int target = Label.position(labels(wanted), label.id());
      if (target < 0) {
        differences.add(
            "sealed type " + stored.type() + ": the class " + label.name() + " is gone");
      } else {
        String where = "class " + label.name() + " of " + stored.type();
        reader.add(label.name(), reader(stored.parts().get(i), wanted.parts().get(target), where));
      }
    }
    return reader;
  }

  private <E extends Enum<E>> Codec<E> enumeration(DescribedEnum stored, EnumCodec<E> wanted) {
    List<E> constants = new ArrayList<>();
    for (Label label : stored.labels()) {
      int target = Label.position(labels(wanted), label.id());
      if (target < 0) {
        differences.add("enum " + stored.type() + ": the constant " + label.name() + " is gone");
      } else {
        constants.add(wanted.constants().get(target));
      }
    }
    return new EarlierEnum<>(stored.name(), constants);
  }

  private Codec<?> differ(String where, Codec<?> stored, Codec<?> wanted, String more) {
    differences.add(
        (where.isEmpty() ? "" : where + ": ")
            + "stored "
            + TypeNames.brief(stored)
            + more
            + ", wanted "
            + TypeNames.brief(wanted));
    return wanted;
  }
}
