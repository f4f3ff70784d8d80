package io.everheap.durable.type;

import io.everheap.codec.Codec;
import io.everheap.codec.evolution.CodecEvolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the version of a type that a class needs, given the versions that a heap has. A field of
 * two versions is the same, and keeps its id, if its name is the same or the class declares its
 * former name. A stored field that cannot be read as the class wants it is a difference. For one
 * thread.
 */
public final class Evolution {
  /**
   * A field of the class.
   *
   * @param name of the field
   * @param formerly names that it had before
   * @param type of its values; of an enum, the constants in the order of the class
   * @param codec of its values, if it has one
   */
  public record Wanted(
      String name, List<String> formerly, FieldType type, @Nullable Codec<?> codec) {}

  private final String name;
  private final List<TypeDescriptor> versions;
  private final @Nullable TypeDescriptor newest;
  private final Set<Integer> taken = new HashSet<>();
  private final List<Difference> differences = new ArrayList<>();
  private int nextId = 1;

  /**
   * A field of the class that cannot be read.
   *
   * @param name of the field
   * @param called its stored name
   * @param stored its stored type
   * @param wanted its type in the class
   * @param parts what in its values cannot be read, if they have parts
   */
  public record Difference(
      String name, String called, FieldType stored, FieldType wanted, List<String> parts) {
    @Override
    public String toString() {
      return "field "
          + name
          + ": stored "
          + stored.toJava()
          + (called.equals(name) ? "" : " as " + called)
          + ", wanted "
          + wanted.toJava()
          + parts.stream().map(part -> "\n    " + part).collect(Collectors.joining());
    }
  }

  /**
   * Begins an evolution.
   *
   * @param versions of the type in the heap, the oldest first
   */
  public Evolution(String name, List<TypeDescriptor> versions) {
    this.name = name;
    this.versions = versions;
    this.newest = versions.isEmpty() ? null : versions.getLast();
    for (TypeDescriptor version : versions) {
      for (TypeDescriptor.Field field : version.fields()) {
        nextId = Math.max(nextId, field.id() + 1);
      }
    }
  }

  /**
   * Returns the version for a class, which equals one of the heap's if nothing changed.
   *
   * @param supertypes of the class
   * @param fields of the class, in any order
   */
  public TypeDescriptor to(Set<String> supertypes, List<Wanted> fields) {
    List<TypeDescriptor.Field> found = new ArrayList<>();
    List<Wanted> added = new ArrayList<>();
    List<Wanted> renamedFirst = new ArrayList<>(fields);
    renamedFirst.sort(Comparator.comparing(field -> !isRenamed(field)));
    for (Wanted field : renamedFirst) {
      TypeDescriptor.Field stored = find(field);
      if (stored == null) {
        added.add(field);
      } else {
        taken.add(stored.id());
        FieldType type = earlier(stored, field).type();
        found.add(new TypeDescriptor.Field(stored.id(), field.name(), type));
      }
    }
    added.sort(Comparator.comparing(Wanted::name)); // reflection returns members in any order
    for (Wanted field : added) {
      found.add(new TypeDescriptor.Field(nextId++, field.name(), field.type()));
    }
    found.sort(Comparator.comparingInt(TypeDescriptor.Field::id));
    return new TypeDescriptor(name, List.copyOf(new TreeSet<>(supertypes)), found);
  }

  /** The stored fields that the class cannot read. */
  public List<Difference> differences() {
    return differences;
  }

  /** A former name may be the name of another field now, which must not get the old values. */
  private boolean isRenamed(Wanted field) {
    return !field.formerly().isEmpty() && newest != null && newest.field(field.name()) == null;
  }

  private TypeDescriptor.@Nullable Field find(Wanted field) {
    TypeDescriptor.Field same = findNamed(field, field.name());
    for (String former : field.formerly()) {
      same = same != null ? same : findNamed(field, former);
    }
    return same;
  }

  /** The newest version with the field determines its type: objects of it may still exist. */
  private TypeDescriptor.@Nullable Field findNamed(Wanted field, String called) {
    for (TypeDescriptor version : versions.reversed()) {
      TypeDescriptor.Field stored = version.field(called);
      if (stored != null && isLive(version, stored) && !taken.contains(stored.id())) {
        Earlier earlier = earlier(stored, field);
        if (earlier.differences().isEmpty() && Widening.isReadable(stored.type(), earlier.type())) {
          return stored;
        }
        differences.add(
            new Difference(
                field.name(), called, stored.type(), field.type(), earlier.differences()));
        return null;
      }
    }
    return null;
  }

  /** A field of an old version counts unless a later version has it, under whatever name. */
  private boolean isLive(TypeDescriptor version, TypeDescriptor.Field stored) {
    return version.equals(newest) || newest == null || newest.field(stored.id()) == null;
  }

  /** The type that a stored field gets, and the parts of its values that cannot be read. */
  private record Earlier(FieldType type, List<String> differences) {}

  private Earlier earlier(TypeDescriptor.Field stored, Wanted field) {
    FieldType wanted = field.type();
    Codec<?> codec = field.codec();
    if (codec == null || wanted.storage() != stored.type().storage()) {
      return new Earlier(wanted, List.of());
    }
    CodecEvolution<?> evolution =
        switch (wanted.storage()) {
          case ENUM ->
              // Constants keep their codes, whatever the name of the enum is.
              CodecEvolution.ofKey(
                  FieldType.enumeration(wanted.enumName(), stored.type().constants()).toJava(),
                  codec,
                  false);
          case WORD -> CodecEvolution.ofKey(stored.type().detail(), codec, false);
          default -> CodecEvolution.ofField(details(stored.id()), codec, new HashMap<>());
        };
    String type = evolution.type();
    FieldType merged =
        new FieldType(
            wanted.storage(),
            wanted.storage() == Storage.ENUM ? type.substring(type.indexOf(' ') + 1) : type);
    return new Earlier(merged, evolution.differences());
  }

  /** Returns the types that a field of bytes has in the versions, the oldest first. */
  private List<String> details(int id) {
    return details(versions, id);
  }

  /**
   * Returns the types that a field of bytes has in some versions.
   *
   * @return each once, the oldest first
   */
  public static List<String> details(List<TypeDescriptor> versions, int id) {
    return versions.stream()
        .map(version -> version.field(id))
        .filter(field -> field != null && field.type().storage() == Storage.CELL)
        .map(field -> field.type().detail())
        .distinct()
        .toList();
  }
}
