package io.everheap.codec.contract;

import java.math.BigDecimal;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import org.jspecify.annotations.Nullable;

/**
 * Tells which keys, and parts of keys, are equal by the contract of an interface of the JDK,
 * whatever their class: lists, sets, maps and their entries. Refuses those whose class breaks the
 * contract in a way that no stored form can follow. Stateless.
 */
public final class Containers {
  /** The contracts, each with the class that its members have when they are read. */
  public enum Kind {
    /** Equal if their elements are, in their order. */
    LIST(ArrayList.class),
    /** Equal if they have the same elements. */
    SET(LinkedHashSet.class),
    /** Equal if they have the same entries. */
    MAP(LinkedHashMap.class),
    /** Equal if key and value are. */
    ENTRY(AbstractMap.SimpleImmutableEntry.class);

    private final Class<?> read;

    Kind(Class<?> read) {
      this.read = read;
    }

    /** The class that members have when they are read. */
    public Class<?> read() {
      return read;
    }
  }

  /** Whether the equals of a class is the JDK's own. */
  private static final ClassValue<Boolean> JDK_EQUALS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("equals", Object.class).getDeclaringClass().getClassLoader()
                == null;
          } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e); // every class has it
          }
        }
      };

  private Containers() {}

  /**
   * The contract that decides what an object is equal to; null if its class decides alone.
   *
   * @throws IllegalArgumentException if the object cannot be a key
   */
  public static @Nullable Kind kind(Object part) {
    Kind kind = contract(part);
    if (kind == null) {
      return null;
    }
    if (part instanceof IdentityHashMap) {
      throw refused(part, "compares its keys by identity", "copy it to a HashMap");
    }
    if (part instanceof SortedSet<?> set) {
      requireConsistent(part, set.comparator(), set);
    } else if (part instanceof SortedMap<?, ?> map) {
      requireConsistent(part, map.comparator(), map.keySet());
    }
    return JDK_EQUALS.get(part.getClass()) || follows(part, kind) ? kind : null;
  }

  private static @Nullable Kind contract(Object part) {
    return switch (part) {
      case List<?> _ -> Kind.LIST;
      case Set<?> _ -> Kind.SET;
      case Map<?, ?> _ -> Kind.MAP;
      case Map.Entry<?, ?> _ -> Kind.ENTRY;
      default -> null;
    };
  }

  /** A tree whose order takes different elements for equal is equal to what no bytes tell. */
  private static void requireConsistent(
      Object part, @Nullable Comparator<?> comparator, Collection<?> elements) {
    boolean natural =
        comparator == null
            || comparator.equals(Comparator.naturalOrder())
            || comparator.equals(Collections.reverseOrder());
    if (!natural) {
      throw refused(
          part,
          "has a comparator, which may take different elements for equal",
          "copy it to a HashSet or a HashMap");
    }
    if (elements.stream().anyMatch(BigDecimal.class::isInstance)) {
      throw refused(
          part,
          "takes decimals of different scales for equal, as 1.0 and 1.00",
          "copy it to a HashSet or a HashMap");
    }
  }

  /** Whether an object whose class has its own equals keeps to the contract. */
  private static boolean follows(Object part, Kind kind) {
    Object copy =
        switch (kind) {
          case LIST -> new ArrayList<>((List<?>) part);
          case SET -> new LinkedHashSet<>((Set<?>) part);
          case MAP -> new LinkedHashMap<>((Map<?, ?>) part);
          case ENTRY -> new AbstractMap.SimpleImmutableEntry<>((Map.Entry<?, ?>) part);
        };
    return copy.equals(part) && part.equals(copy) && copy.hashCode() == part.hashCode();
  }

  /**
   * Refuses a list, set or map that has to keep its class, because a field has that type, unless
   * what is serialized of it depends on its elements alone.
   */
  public static void requireOneSerializedForm(Object part, Kind kind) {
    boolean isOne =
        switch (kind) {
          case LIST -> !(part instanceof Vector);
          case SET -> part instanceof SortedSet || part instanceof EnumSet;
          case MAP -> part instanceof SortedMap || part instanceof EnumMap;
          case ENTRY -> true;
        };
    if (!isOne) {
      throw refused(
          part,
          "is serialized in the order in which it was filled",
          "declare the field, or the type of the keys, as List, Set or Map");
    }
  }

  /**
   * A sorted set or map as one of the natural order, which is serialized without the class of its
   * view and without a comparator; null for other containers.
   */
  public static @Nullable Object naturallySorted(Object container) {
    return switch (container) {
      case SortedSet<?> set -> new TreeSet<@Nullable Object>((Collection<?>) set);
      case SortedMap<?, ?> map -> new TreeMap<@Nullable Object, @Nullable Object>((Map<?, ?>) map);
      default -> null;
    };
  }

  /** Refuses what is equal to other things than those that are serialized alike. */
  public static void requireComparable(Object part) {
    if (part instanceof java.net.URL) {
      throw refused(part, "asks name servers whether it is equal to another", "use a URI");
    }
    if (part instanceof Calendar) { // but for those that have a normal form
      throw refused(
          part, "is serialized with what was asked of it", "use an Instant or a ZonedDateTime");
    }
  }

  private static IllegalArgumentException refused(Object part, String why, String remedy) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "a %s cannot be a key or a part of one: it %s, so equal keys would not find each"
                + " other's entries; %s",
            part.getClass().getName(),
            why,
            remedy));
  }
}
