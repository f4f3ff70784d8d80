package io.everheap.durable.bind;

import io.everheap.codec.Codec;
import io.everheap.codec.WordCodec;
import io.everheap.codec.check.NameCheck;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.durable.TypeDifference;
import io.everheap.durable.handle.BoundField;
import io.everheap.durable.handle.BoundType;
import io.everheap.durable.handle.ObjectHandle;
import io.everheap.durable.handle.ObjectMemory;
import io.everheap.durable.handle.WovenClass;
import io.everheap.durable.type.Evolution;
import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.ObjectLayout;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import io.everheap.durable.type.Versions;
import io.everheap.error.SchemaMismatchException;
import io.everheap.error.UnsupportedTypeException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds durable interfaces and classes to the versions of their types that a heap has. Nothing is
 * stored: a new version is added to the heap with the first object that needs it.
 *
 * <p>Guarded by the monitor of the codec registry.
 */
final class Binder {
  private final ObjectMemory memory;
  private final BoundType.Types types;
  private final Versions versions;
  private final CodecRegistry codecs;
  private final Function<Type, @Nullable Codec<?>> structures;

  Binder(
      ObjectMemory memory,
      BoundType.Types types,
      CodecRegistry codecs,
      Function<Type, @Nullable Codec<?>> structures) {
    this.memory = memory;
    this.types = types;
    this.versions = memory.versions();
    this.codecs = codecs;
    this.structures = structures;
  }

  /**
   * Binds one interface or class.
   *
   * @param referred gets the types that its fields lead to
   * @throws IllegalArgumentException if it is not marked as durable, or not woven
   * @throws SchemaMismatchException if it cannot read what the heap has
   * @throws io.everheap.error.UnsupportedTypeException if a field has no codec
   */
  BoundType bind(Class<?> type, List<Class<?>> referred) {
    ClassModel model = new ClassModel(type);
    if (type.isSealed()) {
      referred.addAll(Arrays.asList(type.getPermittedSubclasses()));
    }
    NameCheck.requireTypeName(model.name);
    if (model.problem != null) {
      TypeDescriptor none =
          new TypeDescriptor(model.name, List.copyOf(model.supertypes), List.of());
      return BoundType.withoutObjects(memory, types, type, none, model.problem);
    }
    return bind(model, referred);
  }

  private BoundType bind(ClassModel model, List<Class<?>> referred) {
    Map<String, @Nullable Codec<?>> codecsOf = new HashMap<>();
    List<Evolution.Wanted> wanted = wanted(model, codecsOf, referred);
    ObjectLayout layout = ObjectLayout.of(evolve(model, wanted));
    BoundField[] fields = new BoundField[layout.type().fields().size()];
    Map<String, BoundField> byName = new HashMap<>();
    for (int i = 0; i < fields.length; i++) {
      String name = layout.type().fields().get(i).name();
      Class<?> raw = raw(Objects.requireNonNull(model.properties.get(name)));
      TypeDescriptor.Field field = layout.type().fields().get(i);
      List<String> earlier = Evolution.details(versions.of(model.name), field.id());
      fields[i] = new BoundField(i, layout, raw, codecsOf.get(name), earlier, types);
      byName.put(name, fields[i]);
    }
    ObjectHandle prototype =
        model.type.isInterface()
            ? Implementations.prototype(model, byName, codecs.lookups())
            : WovenClass.of(model.type).prototype();
    int[] places = places(model.type, byName);
    return new BoundType(memory, types, model.type, layout, fields, places, prototype);
  }

  /** The place of each field of a woven class: its offset if primitive, else its position. */
  private static int[] places(Class<?> type, Map<String, BoundField> fields) {
    if (type.isInterface()) {
      return new int[0];
    }
    return WovenClass.of(type).fields().stream()
        .map(name -> Objects.requireNonNull(fields.get(name)))
        .mapToInt(field -> field.storage().isPrimitive() ? field.offset() : field.position())
        .toArray();
  }

  /**
   * Returns the fields of a class.
   *
   * @param codecsOf gets the codecs of fields that have one, by name
   * @param referred gets the interfaces that its fields lead to
   */
  private List<Evolution.Wanted> wanted(
      ClassModel model, Map<String, @Nullable Codec<?>> codecsOf, List<Class<?>> referred) {
    List<Evolution.Wanted> wanted = new ArrayList<>();
    for (ClassModel.Property property : model.properties.values()) {
      Class<?> raw = raw(property);
      Codec<?> codec = raw.isPrimitive() || ClassModel.isDurable(raw) ? null : codec(property);
      codecsOf.put(property.name, codec);
      if (codec == null && !raw.isPrimitive()) {
        referred.add(raw);
      }
      wanted.add(
          new Evolution.Wanted(
              property.name, List.copyOf(property.formerly), fieldType(raw, codec), codec));
    }
    return wanted;
  }

  /** Returns how a class differs from what the heap has; binds nothing. */
  TypeDifference compare(Class<?> type) {
    ClassModel model = new ClassModel(type);
    TypeComparison comparison = new TypeComparison(model, versions.of(model.name));
    try {
      NameCheck.requireTypeName(model.name);
      if (model.problem != null) {
        return type.isSealed() ? comparison.of(List.of()) : comparison.refused(model.problem);
      }
      return comparison.of(wanted(model, new HashMap<>(), new ArrayList<>()));
    } catch (UnsupportedTypeException | IllegalArgumentException e) {
      return comparison.refused(String.valueOf(e.getMessage()));
    }
  }

  private TypeDescriptor evolve(ClassModel model, List<Evolution.Wanted> wanted) {
    if (wanted.size() > TypeDescriptor.MAX_FIELDS) {
      throw new IllegalArgumentException(
          model.type.getName() + " has more than " + TypeDescriptor.MAX_FIELDS + " fields");
    }
    Evolution evolution = new Evolution(model.name, versions.of(model.name));
    TypeDescriptor version = evolution.to(model.supertypes, wanted);
    if (!evolution.differences().isEmpty()) {
      throw SchemaMismatchException.ofType(
          model.name,
          model.type.getName(),
          evolution.differences().stream().map(Evolution.Difference::toString).toList());
    }
    return version;
  }

  private static Class<?> raw(ClassModel.Property property) {
    return GenericTypes.raw(Objects.requireNonNull(property.type));
  }

  private Codec<?> codec(ClassModel.Property property) {
    Type type = Objects.requireNonNull(property.type);
    Codec<?> structure = structures.apply(type);
    if (structure != null) {
      return structure;
    }
    Codec<?> codec = codecs.forType(type);
    CodecNames.require(codec);
    return codec;
  }

  private static FieldType fieldType(Class<?> raw, @Nullable Codec<?> codec) {
    if (raw.isPrimitive()) {
      return FieldType.primitive(Storage.valueOf(raw.getName().toUpperCase(Locale.ROOT)));
    }
    if (codec == null) {
      return new FieldType(Storage.REF, ClassModel.nameOf(raw));
    }
    if (raw.isEnum() && codec.name().startsWith("enum ")) {
      List<String> constants =
          Arrays.stream(raw.getEnumConstants()).map(c -> ((Enum<?>) c).name()).toList();
      return FieldType.enumeration(raw.getName(), constants);
    }
    return new FieldType(codec instanceof WordCodec ? Storage.WORD : Storage.CELL, codec.name());
  }
}
