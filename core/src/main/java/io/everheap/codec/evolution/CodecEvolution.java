package io.everheap.codec.evolution;

import io.everheap.codec.Codec;
import io.everheap.codec.composite.CodecNames;
import io.everheap.codec.composite.CompositeCodec;
import io.everheap.codec.composite.DeclaredType;
import io.everheap.codec.composite.EnumCodec;
import io.everheap.codec.composite.Label;
import io.everheap.codec.described.DescribedCodecs;
import io.everheap.codec.described.DescribedEnum;
import io.everheap.codec.described.DescribedVersions;
import io.everheap.codec.described.DescriptionParser;
import io.everheap.codec.reference.StructureCodec;
import io.everheap.error.UnsupportedTypeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a program uses what was stored under another version of a type.
 *
 * @param <T> the values
 * @param codec that reads what is stored, and writes
 * @param type the name under which everything that the codec writes can be read; the stored one if
 *     nothing has to be noted
 * @param differences what cannot be read, in words; if there are any, the codec must not be used
 */
public record CodecEvolution<T>(Codec<T> codec, String type, List<String> differences) {
  private static final Set<String> INTEGERS = Set.of("short", "int", "long");

  /** Copies the list. */
  public CodecEvolution {
    differences = List.copyOf(differences);
  }

  /**
   * Returns the codec for values of structures, which may come from several versions of a program:
   * one that notes the version with each value if the type can change, else the given one.
   */
  public static <T> Codec<T> versioned(Codec<T> codec) {
    return codec instanceof CompositeCodec<T> composite
            && !(codec instanceof VersionsCodec)
            && canChange(codec)
        ? composite.versioned(VersionsCodec::ofOne)
        : codec;
  }

  /**
   * Whether the type of a codec can change from one version of a program to the next: whether it
   * has a record, an enum or a sealed type in it.
   */
  public static boolean canChange(Codec<?> codec) {
    return CompositeCodec.reach(codec).stream().anyMatch(DeclaredType.class::isInstance);
  }

  /**
   * Compares the types of values.
   *
   * @param stored the name of their type in the heap
   * @param wanted the codec of the program, which is {@link #versioned}
   */
  public static <T> CodecEvolution<T> ofValue(String stored, Codec<T> wanted) {
    return !stored.equals(wanted.name())
            && wanted instanceof VersionsCodec<T> versions
            && stored.startsWith(CodecNames.VERSIONS + "<")
        ? ofVersions(stored, versions.writer())
        : ofKey(stored, wanted, false);
  }

  private static <T> CodecEvolution<T> ofVersions(String stored, Codec<T> wanted) {
    List<String> differences = new ArrayList<>();
    if (!(parse(stored, wanted, differences) instanceof DescribedVersions all)) {
      return new CodecEvolution<>(wanted, stored, differences);
    }
    List<Codec<?>> versions = new ArrayList<>(all.parts());
    EarlierForms forms = new EarlierForms(all.parts(), differences);
    Codec<?> shape = forms.shape(wanted);
    List<Codec<T>> readers = forms.readers(wanted);
    int number = versions.stream().map(Codec::name).toList().indexOf(shape.name());
    if (number < 0) {
      number = versions.size();
      versions.add(shape);
      readers.add(wanted);
    }
    Codec<T> codec = new VersionsCodec<>(versions, readers, number, wanted);
    return new CodecEvolution<>(codec, codec.name(), differences);
  }

  /**
   * Compares the types of keys and of elements of sets. These are found by their bytes or words,
   * which must therefore not change.
   *
   * @param stored the name of their type in the heap
   * @param wanted the codec of the program
   * @param ordered whether the structure is ordered by the bytes or words
   */
  public static <T> CodecEvolution<T> ofKey(String stored, Codec<T> wanted, boolean ordered) {
    if (stored.equals(wanted.name())) {
      return new CodecEvolution<>(wanted, stored, List.of());
    }
    if (wanted instanceof StructureCodec<T> structures) {
      return new CodecEvolution<>(wanted, stored, structures.differences(stored));
    }
    List<String> differences = new ArrayList<>();
    if (wanted instanceof EnumCodec<?> constants && stored.startsWith("enum ")) {
      Codec<T> codec = ofEnum(stored, constants, ordered, differences);
      return new CodecEvolution<>(codec, codec.name(), differences);
    }
    boolean sameWords =
        EarlierNumber.isWider(stored, wanted.name()) && INTEGERS.contains(wanted.name());
    Codec<?> described = sameWords ? null : parse(stored, wanted, differences);
    if (described != null) {
      new SameBytes(differences).compare(described, wanted, "");
    }
    return new CodecEvolution<>(wanted, wanted.name(), differences);
  }

  /** Constants keep their words; new ones follow them. */
  @SuppressWarnings("unchecked") // of the same enum
  private static <T, E extends Enum<E>> Codec<T> ofEnum(
      String stored, EnumCodec<E> wanted, boolean ordered, List<String> differences) {
    if (!(parse(stored, wanted, differences) instanceof DescribedEnum earlier)
        || !wanted.isOrWas(earlier.type())) {
      differences.add("stored " + stored + ", wanted " + wanted.name());
      return (Codec<T>) wanted;
    }
    List<Label> labels = Labels.match(List.of(earlier.labels()), wanted.members());
    List<E> constants =
        new ArrayList<>(EarlierForms.enumeration(earlier, wanted, labels, differences).constants());
    wanted.constants().stream().filter(c -> !constants.contains(c)).forEach(constants::add);
    if (ordered && differences.isEmpty() && !constants.equals(wanted.constants())) {
      differences.add(
          "enum " + earlier.type() + ": constants that order keys can be added at the end only");
    }
    return (Codec<T>) new EnumCodec<>(wanted.declaration(), constants);
  }

  /**
   * Compares the types of a field that several versions of its object may have.
   *
   * @param stored the names of its types in them, the oldest first
   * @param wanted the codec of the program
   * @param readers gets the codecs that read values of those types
   * @return what writes, and the name of its type
   */
  public static <T> CodecEvolution<T> ofField(
      List<String> stored, Codec<T> wanted, Map<String, Codec<T>> readers) {
    List<String> differences = new ArrayList<>();
    List<Codec<?>> versions = new ArrayList<>();
    for (String name : stored) {
      Codec<?> version = parse(name, wanted, differences);
      if (version == null) {
        return new CodecEvolution<>(wanted, wanted.name(), differences);
      }
      versions.add(version);
    }
    EarlierForms forms = new EarlierForms(versions, differences);
    Codec<?> shape = forms.shape(wanted);
    List<Codec<T>> found = forms.readers(wanted);
    for (int i = 0; i < found.size(); i++) {
      readers.put(stored.get(i), found.get(i));
    }
    return new CodecEvolution<>(wanted, shape.name(), differences);
  }

  /**
   * How a program uses the values of one of its types that are parts of others.
   *
   * @param stored the name of the type in the heap
   * @param wanted the name that the type is to have
   * @param differences what cannot be read, in words
   */
  public record Part(String stored, String wanted, List<String> differences) {
    /** Copies the list. */
    public Part {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Compares one type of a program with the same type within a stored one.
   *
   * @param stored name of the type of a part of a structure
   * @param wanted codec of a record, an enum or a sealed type
   * @param key as for {@link #ofKey}
   * @param ordered as for {@link #ofKey}
   * @return empty if the stored type does not contain it
   */
  public static Optional<Part> ofPart(
      String stored, Codec<?> wanted, boolean key, boolean ordered) {
    List<Codec<?>> parts =
        versions(stored).stream()
            .flatMap(version -> TypeMatch.types(version).values().stream())
            .<Codec<?>>map(type -> (Codec<?>) type)
            .filter(part -> TypeMatch.isEarlier(part, wanted))
            .toList();
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    String last = parts.getLast().name();
    if (wanted instanceof EnumCodec && last.equals(stored)) {
      CodecEvolution<?> words = ofKey(stored, wanted, ordered);
      return Optional.of(new Part(last, words.type, words.differences));
    }
    List<String> differences = new ArrayList<>();
    if (key) {
      parts.forEach(part -> new SameBytes(differences).compare(part, wanted, ""));
      return Optional.of(new Part(last, wanted.name(), differences));
    }
    EarlierForms forms = new EarlierForms(parts, differences);
    String name = forms.shape(wanted).name();
    List<? extends Codec<?>> _ = forms.readers(wanted);
    return Optional.of(new Part(last, name, differences));
  }

  /** The names of the records, enums and sealed types that a stored type has. */
  public static Set<String> declared(String stored) {
    Set<String> names = new HashSet<>();
    versions(stored).forEach(version -> names.addAll(TypeMatch.types(version).keySet()));
    return names;
  }

  /** The versions that a name has, or the only one; none if only the program can read it. */
  private static List<Codec<?>> versions(String stored) {
    try {
      Codec<?> described = DescribedCodecs.of(stored);
      return described instanceof DescribedVersions all ? all.parts() : List.of(described);
    } catch (UnsupportedTypeException e) {
      return List.of();
    }
  }

  /** The codec that a name describes, with the codecs that only the program has; null if none. */
  private static @Nullable Codec<?> parse(String name, Codec<?> wanted, List<String> differences) {
    Map<String, Codec<?>> own = new HashMap<>();
    for (Codec<?> codec : CompositeCodec.reach(wanted)) {
      if (!(codec instanceof CompositeCodec || codec instanceof DeclaredType)) {
        own.putIfAbsent(codec.name(), codec);
      }
    }
    try {
      return new DescriptionParser(name, reference -> reference, false, own).parse();
    } catch (UnsupportedTypeException e) {
      differences.add("stored " + name + ": " + e.getMessage());
      return null;
    }
  }
}
