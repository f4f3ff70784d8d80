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
 * @param type the name under which everything that it writes can be read; the stored one if nothing
 *     has to be noted
 * @param differences what cannot be read, in words; if there are any, the codec is of no use
 */
public record CodecEvolution<T>(Codec<T> codec, String type, List<String> differences) {
  private static final Set<String> INTEGERS = Set.of("short", "int", "long");

  /** Copies the list. */
  public CodecEvolution {
    differences = List.copyOf(differences);
  }

  /**
   * The codec for values of structures, which may come from several versions of a program. Their
   * type can change later if it has records, enums or sealed types.
   */
  public static <T> Codec<T> versioned(Codec<T> codec) {
    return codec instanceof CompositeCodec<T> composite
            && !(codec instanceof VersionsCodec)
            && canChange(codec)
        ? composite.versioned(VersionsCodec::ofOne)
        : codec;
  }

  /** Whether the type of a codec can change from one version of a program to the next. */
  public static boolean canChange(Codec<?> codec) {
    return reach(codec).stream().anyMatch(DeclaredType.class::isInstance);
  }

  /** A codec and all that it is made of. */
  private static Set<Codec<?>> reach(Codec<?> codec) {
    Set<Codec<?>> found = new HashSet<>();
    reach(codec, found);
    return found;
  }

  private static void reach(Codec<?> codec, Set<Codec<?>> found) {
    if (found.add(codec) && codec instanceof CompositeCodec<?> composite) {
      composite.parts().forEach(part -> reach(part, found));
    }
  }

  /**
   * How values are used.
   *
   * @param stored the name of their type in the heap
   * @param wanted the codec of the program, which is {@link #versioned}
   */
  public static <T> CodecEvolution<T> ofValue(String stored, Codec<T> wanted) {
    if (!stored.equals(wanted.name())
        && wanted instanceof VersionsCodec<T> versions
        && stored.startsWith(CodecNames.VERSIONS + "<")) {
      return ofVersions(stored, versions.writer());
    }
    return ofKey(stored, wanted, false);
  }

  private static <T> CodecEvolution<T> ofVersions(String stored, Codec<T> wanted) {
    List<String> differences = new ArrayList<>();
    Codec<Object> described = parse(stored, wanted, differences);
    if (!(described instanceof DescribedVersions all)) {
      return new CodecEvolution<>(wanted, stored, differences);
    }
    List<Codec<?>> versions = new ArrayList<>(all.parts());
    EarlierForms forms = new EarlierForms(all.versions(), differences);
    Codec<?> shape = forms.shape(wanted);
    List<Codec<T>> readers = new ArrayList<>(forms.readers(wanted));
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
   * How keys and elements of sets are used, which are found by their bytes or words, so these must
   * be what they were.
   *
   * @param stored the name of their type in the heap
   * @param wanted the codec of the program
   * @param ordered whether they are ordered by their bytes or words, too
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
    if (!sameWords) {
      Codec<Object> described = parse(stored, wanted, differences);
      if (described != null) {
        new SameBytes(differences).compare(described, wanted, "");
      }
    }
    return new CodecEvolution<>(wanted, wanted.name(), differences);
  }

  /** Constants keep their words; new ones come behind them. */
  @SuppressWarnings("unchecked") // of the same enum
  private static <T, E extends Enum<E>> Codec<T> ofEnum(
      String stored, EnumCodec<E> wanted, boolean ordered, List<String> differences) {
    Codec<?> described = parse(stored, wanted, differences);
    if (described == null || !TypeMatch.isEarlier(described, wanted)) {
      differences.add("stored " + stored + ", wanted " + wanted.name());
      return (Codec<T>) wanted;
    }
    DescribedEnum earlier = (DescribedEnum) described;
    List<Label> labels = Labels.match(List.of(earlier.labels()), wanted.members());
    List<E> constants =
        new ArrayList<>(EarlierForms.enumeration(earlier, wanted, labels, differences).constants());
    for (E constant : wanted.constants()) {
      if (!constants.contains(constant)) {
        constants.add(constant);
      }
    }
    if (ordered && differences.isEmpty() && !constants.equals(wanted.constants())) {
      differences.add(
          "enum " + earlier.type() + ": constants that order keys can be added behind others only");
    }
    return (Codec<T>) new EnumCodec<>(wanted.declaration(), constants);
  }

  /**
   * How values of a field are used that several versions of its object may have.
   *
   * @param stored the names of its types in them, the oldest first
   * @param wanted the codec of the program
   * @param readers gets the codecs that read values of those types
   * @return what writes, and the name of its type
   */
  public static <T> CodecEvolution<T> ofField(
      List<String> stored, Codec<T> wanted, Map<String, Codec<T>> readers) {
    List<String> differences = new ArrayList<>();
    List<Codec<Object>> versions = new ArrayList<>();
    for (String name : stored) {
      Codec<Object> version = parse(name, wanted, differences);
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
   * @param wanted the one that it is to have
   * @param differences what cannot be read, in words
   */
  public record Part(String stored, String wanted, List<String> differences) {
    /** Copies the list. */
    public Part {
      differences = List.copyOf(differences);
    }
  }

  /**
   * Compares one type of a program with what a stored type has of it; nothing if it does not have
   * it.
   *
   * @param stored name of the type of a part of a structure
   * @param wanted codec of a record, an enum or a sealed type
   * @param key as for {@link #ofKey}
   * @param ordered likewise
   */
  public static Optional<Part> ofPart(
      String stored, Codec<?> wanted, boolean key, boolean ordered) {
    List<Codec<?>> parts =
        versions(stored).stream()
            .flatMap(version -> TypeMatch.of(version).values().stream())
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
    String name = wanted.name();
    if (key) {
      parts.forEach(part -> new SameBytes(differences).compare(part, wanted, ""));
    } else {
      EarlierForms forms = new EarlierForms(parts, differences);
      name = forms.shape(wanted).name();
      List<? extends Codec<?>> _ = forms.readers(wanted);
    }
    return Optional.of(new Part(last, name, differences));
  }

  /** The names of the records, enums and sealed types that a stored type has. */
  public static Set<String> declared(String stored) {
    Set<String> names = new HashSet<>();
    versions(stored).forEach(version -> names.addAll(TypeMatch.of(version).keySet()));
    return names;
  }

  /** The versions that a name has, or the only one; none if only the program can read it. */
  private static List<Codec<Object>> versions(String stored) {
    try {
      Codec<Object> described = DescribedCodecs.of(stored);
      return (Codec<?>) described instanceof DescribedVersions all
          ? all.versions()
          : List.of(described);
    } catch (UnsupportedTypeException e) {
      return List.of();
    }
  }

  private static @Nullable Codec<Object> parse(
      String name, Codec<?> wanted, List<String> differences) {
    Map<String, Codec<?>> own = new HashMap<>();
    for (Codec<?> codec : reach(wanted)) {
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
