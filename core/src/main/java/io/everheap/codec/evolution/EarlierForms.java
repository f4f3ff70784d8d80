package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.DeclaredType;
import io.everheap.codec.composite.EnumCodec;
import io.everheap.codec.composite.Label;
import io.everheap.codec.composite.RecordCodec;
import io.everheap.codec.composite.SealedCodec;
import io.everheap.codec.described.DescribedEnum;
import io.everheap.codec.described.DescribedRecord;
import io.everheap.codec.described.DescribedSealed;
import io.everheap.codec.described.DescribedType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares the stored versions of a type, the oldest first, with the one of the program: what the
 * program's is called among them, how values of each version are read, and what cannot be read.
 * Types may be recursive, so what is made for a pair of types is known before its parts are.
 */
final class EarlierForms {
  private final List<? extends Codec<?>> versions;
  private final List<DescribedType> types;
  private final IdentityHashMap<DeclaredType, List<Label>> labels = new IdentityHashMap<>();
  private final IdentityHashMap<Codec<?>, Codec<?>> shapes = new IdentityHashMap<>();
  private final Map<Pair, Codec<?>> readers = new HashMap<>();
  private final List<String> differences;

  private record Pair(Codec<?> stored, Codec<?> wanted) {}

  /**
   * A comparison.
   *
   * @param differences gets a line for each thing that cannot be read
   */
  EarlierForms(List<? extends Codec<?>> versions, List<String> differences) {
    this.versions = versions;
    this.differences = differences;
    this.types =
        versions.stream().flatMap(version -> TypeMatch.types(version).values().stream()).toList();
  }

  /** Codecs that read the values of the versions; a new list. */
  @SuppressWarnings("unchecked") // they read values of the wanted type
  <T> List<Codec<T>> readers(Codec<T> wanted) {
    List<Codec<T>> all = new ArrayList<>();
    versions.forEach(version -> all.add((Codec<T>) reader(version, wanted, "")));
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
      case RecordCodec<?> record -> {
        var shape = new DescribedRecord(record.type());
        shapes.put(record, shape); // it may refer to itself
        for (int i = 0; i < record.components().size(); i++) {
          var component = record.components().get(i);
          shape.add(labels(record).get(i), component.nullable(), shape(component.codec()));
        }
        yield shape;
      }
      case SealedCodec<?> sealed -> {
        var shape = new DescribedSealed(sealed.type());
        shapes.put(sealed, shape);
        for (int i = 0; i < sealed.parts().size(); i++) {
          shape.add(labels(sealed).get(i), shape(sealed.parts().get(i)));
        }
        yield shape;
      }
      case EnumCodec<?> constants -> new DescribedEnum(constants.type(), labels(constants));
      case CompositeCodec<?> other ->
          other.with(other.parts().stream().<Codec<?>>map(this::shape).toList());
      default -> wanted;
    };
  }

  /** The labels of the members of a type of the program. */
  private List<Label> labels(DeclaredType wanted) {
    List<Label> known = labels.get(wanted);
    if (known == null) {
      List<List<Label>> earlier =
          types.stream()
              .filter(type -> wanted.isOrWas(type.type()))
              .map(DescribedType::labels)
              .toList();
      known = Labels.match(earlier, wanted.members());
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
    Codec<?> wanted = pair.wanted;
    if (TypeMatch.isEarlier(stored, wanted)) {
      if (stored instanceof DescribedRecord of && wanted instanceof RecordCodec<?> to) {
        return record(pair, of, to);
      }
      if (stored instanceof DescribedSealed of && wanted instanceof SealedCodec<?> to) {
        return sealed(pair, of, to);
      }
      if (stored instanceof DescribedEnum of && wanted instanceof EnumCodec<?> to) {
        return enumeration(of, to, labels(to), differences);
      }
    }
    if (TypeMatch.haveLikeParts(stored, wanted)) {
      var of = (CompositeCodec<?>) stored;
      var to = (CompositeCodec<?>) wanted;
      List<Codec<?>> parts = new ArrayList<>();
      for (int i = 0; i < to.parts().size(); i++) {
        parts.add(reader(of.parts().get(i), to.parts().get(i), where));
      }
      return to.with(parts);
    }
    if (EarlierNumber.isWider(stored.name(), wanted.name())) {
      return new EarlierNumber(stored, wanted.name());
    }
    return differ(where, stored, wanted, "");
  }

  private <R> Codec<R> record(Pair pair, DescribedRecord stored, RecordCodec<R> wanted) {
    var reader = new EarlierRecord<>(wanted);
    readers.put(pair, reader);
    for (var component : stored.components()) {
      Label label = component.label();
      int target = Labels.position(labels(wanted), label.id());
      Codec<?> part = component.codec();
      if (target >= 0) {
        String where = "component " + label.name() + " of " + stored.type();
        var to = wanted.components().get(target);
        boolean lost = component.nullable() && !to.nullable();
        part = lost ? differ(where, part, to.codec(), " or null") : reader(part, to.codec(), where);
      }
      reader.add(component.nullable(), target, part);
    }
    return reader;
  }

  private Codec<?> sealed(Pair pair, DescribedSealed stored, SealedCodec<?> wanted) {
    var reader = new SealedCodec<>(wanted.declaration(), wanted.type());
    readers.put(pair, reader);
    for (int i = 0; i < stored.labels().size(); i++) {
      Label label = stored.labels().get(i);
      int target = Labels.position(labels(wanted), label.id());
      if (target < 0) {
        differences.add(
            "sealed type " + stored.type() + ": the class " + label.name() + " is gone");
      } else {
        String where = "class " + label.name() + " of " + stored.type();
        Codec<?> part = reader(stored.parts().get(i), wanted.parts().get(target), where);
        reader.link(label.name(), wanted.declaration(), part);
      }
    }
    return reader;
  }

  /**
   * The constants in their stored order, as a codec that reads them.
   *
   * @param labels of the constants of the program
   * @param differences gets a line for each one that is gone
   */
  static <E extends Enum<E>> EnumCodec<E> enumeration(
      DescribedEnum stored, EnumCodec<E> wanted, List<Label> labels, List<String> differences) {
    List<E> constants = new ArrayList<>();
    for (Label label : stored.labels()) {
      int target = Labels.position(labels, label.id());
      if (target < 0) {
        differences.add("enum " + stored.type() + ": the constant " + label.name() + " is gone");
      } else {
        constants.add(wanted.constants().get(target));
      }
    }
    return new EnumCodec<>(wanted.declaration(), constants);
  }

  private Codec<?> differ(String where, Codec<?> stored, Codec<?> wanted, String more) {
    differences.add(TypeMatch.difference(where, stored, more, wanted));
    return wanted;
  }
}
