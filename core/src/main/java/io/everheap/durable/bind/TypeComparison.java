package io.everheap.durable.bind;

import io.everheap.durable.TypeDifference;
import io.everheap.durable.TypeDifference.Field;
import io.everheap.durable.TypeDifference.Kind;
import io.everheap.durable.type.Evolution;
import io.everheap.durable.type.FieldType;
import io.everheap.durable.type.Storage;
import io.everheap.durable.type.TypeDescriptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Describes how the fields of a class differ from the stored versions of its type. */
final class TypeComparison {
  private final ClassModel model;
  private final List<TypeDescriptor> stored;
  private final List<Field> fields = new ArrayList<>();

  /**
   * Begins a comparison.
   *
   * @param stored versions of the type, the oldest first
   */
  TypeComparison(ClassModel model, List<TypeDescriptor> stored) {
    this.model = model;
    this.stored = stored;
  }

  /** Returns the difference of a class that cannot be used with any heap. */
  TypeDifference refused(String reason) {
    return new TypeDifference(model.name, model.type.getName(), Kind.REFUSED, reason, List.of());
  }

  /** Returns the difference of a class with these fields. */
  TypeDifference of(List<Evolution.Wanted> wanted) {
    Evolution evolution = new Evolution(model.name, stored);
    TypeDescriptor version = evolution.to(model.supertypes, wanted);
    TypeDescriptor newest = stored.isEmpty() ? null : stored.getLast();
    Set<String> refused = new HashSet<>();
    for (Evolution.Difference difference : evolution.differences()) {
      refused.add(difference.name());
      String from = difference.stored().toJava();
      String to = difference.wanted().toJava();
      fields.add(new Field(difference.name(), Kind.REFUSED, from, to, refusal()));
    }
    for (TypeDescriptor.Field field : version.fields()) {
      if (!refused.contains(field.name())) {
        add(field, newest == null ? null : newest.field(field.id()));
      }
    }
    if (newest != null) {
      for (TypeDescriptor.Field field : newest.fields()) {
        if (version.field(field.id()) == null && version.field(field.name()) == null) {
          addRemoved(field);
        }
      }
    }
    fields.sort(Comparator.comparing(Field::name));
    Kind worst = newest == null ? Kind.COMPATIBLE : Kind.SAME;
    for (Field field : fields) {
      worst = field.kind().compareTo(worst) > 0 ? field.kind() : worst;
    }
    if (worst == Kind.SAME && !version.equals(newest)) {
      worst = Kind.COMPATIBLE; // its supertypes changed
    }
    return new TypeDifference(model.name, model.type.getName(), worst, "", fields);
  }

  private void add(TypeDescriptor.Field field, TypeDescriptor.@Nullable Field before) {
    String wanted = field.type().toJava();
    if (before == null) {
      fields.add(new Field(field.name(), Kind.COMPATIBLE, "", wanted, addition(field)));
    } else if (before.equals(field)) {
      fields.add(new Field(field.name(), Kind.SAME, wanted, wanted, ""));
    } else {
      String meaning = change(before, field);
      fields.add(new Field(field.name(), Kind.COMPATIBLE, before.type().toJava(), wanted, meaning));
    }
  }

  private static String refusal() {
    return "stored values cannot be read as the wanted type: give the field its stored type back,"
        + " or a wider one; or give the new one another name, and copy the values over";
  }

  private String addition(TypeDescriptor.Field field) {
    for (TypeDescriptor version : stored.reversed()) {
      if (version.field(field.id()) != null) {
        return "comes back: objects that were written with it still have their values";
      }
    }
    return stored.isEmpty()
        ? "the heap has no objects of this type"
        : "new: " + empty(field.type()) + " in stored objects";
  }

  private static String empty(FieldType type) {
    return switch (type.storage()) {
      case BOOLEAN -> "false";
      case ENUM, WORD, CELL, REF -> "null";
      default -> "0";
    };
  }

  private static String change(TypeDescriptor.Field before, TypeDescriptor.Field after) {
    List<String> changes = new ArrayList<>();
    if (!before.name().equals(after.name())) {
      changes.add("renamed from " + before.name());
    }
    FieldType from = before.type();
    FieldType to = after.type();
    if (from.storage() == Storage.ENUM && !from.equals(to)) {
      List<String> added = new ArrayList<>(to.constants());
      added.removeAll(from.constants());
      changes.add(
          added.isEmpty() ? "another enum" : "constants added: " + String.join(", ", added));
    } else if (from.storage() == Storage.REF && !from.equals(to)) {
      changes.add("what an object really is, is checked when its reference is followed");
    } else if (from.storage() == Storage.CELL && !from.equals(to)) {
      changes.add("changed: a value keeps its form until its object is converted");
    } else if (!from.equals(to)) {
      changes.add("widened: an object is converted when it is written");
    }
    return String.join("; ", changes);
  }

  private void addRemoved(TypeDescriptor.Field field) {
    fields.add(
        new Field(
            field.name(),
            Kind.COMPATIBLE,
            field.type().toJava(),
            "",
            "removed: the value stays until a write converts the object"));
  }
}
