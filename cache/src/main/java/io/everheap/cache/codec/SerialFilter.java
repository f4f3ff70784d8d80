package io.everheap.cache.codec;

import java.io.ObjectInputFilter;
import java.io.ObjectInputFilter.FilterInfo;
import java.io.ObjectInputFilter.Status;
import java.io.ObjectStreamException;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Which classes the serialized keys or values of a cache may have, and how much reading one may
 * take. Whoever can write to the files of a cache chooses what is deserialized, and {@code
 * readObject} of a class runs before anything can judge its object. So these are allowed, and no
 * others:
 *
 * <ul>
 *   <li>values and collections of the JDK: {@link #JDK};
 *   <li>classes that the cache's further filter allows, unless it rejects them;
 *   <li>if a class or an interface was declared for the cache, other than those of the JDK: its
 *       subclasses, and all classes of its package and of those below.
 * </ul>
 *
 * <p>A class that is not allowed is refused when it is written, too: what could never be read would
 * be a miss for ever. A filter of the JVM ({@code jdk.serialFilter}) is asked as well. Thread-safe.
 */
final class SerialFilter {
  private static final System.Logger LOG = System.getLogger("io.everheap.cache");

  private static final ObjectInputFilter JDK =
      ObjectInputFilter.Config.createFilter(
          "java.lang.*;java.math.*;java.time.**;java.util.*;java.util.concurrent.*;"
              + "java.util.concurrent.atomic.*;java.util.concurrent.locks.*;java.util.regex.*;"
              + "java.net.URI;java.net.Inet*;java.net.SocketAddress;java.io.*;java.sql.Date;java.sql.Time;"
              + "java.sql.Timestamp;sun.util.calendar.ZoneInfo*");

  /** Levels of objects within objects, or of containers within keys. */
  static final int MAX_DEPTH = 200;

  /** Elements of arrays that small collections have more than the stream. */
  private static final long SPARE_ELEMENTS = 1024;

  /**
   * Time after which reading ends. The hash of a set that was read takes no longer than it took to
   * read that set, so sets within sets whose hashes take for ever end after twice the time.
   */
  private static final long MAX_NANOS = 5_000_000_000L;

  private final long maxNanos;
  private final @Nullable Class<?> declared;
  private final @Nullable ObjectInputFilter further;
  private final AtomicBoolean warned = new AtomicBoolean();

  /** Classes of which objects were written. */
  private final Set<Class<?>> written = ConcurrentHashMap.newKeySet();

  /**
   * A filter.
   *
   * @param type that was declared for the keys or values
   * @param further allows and rejects further classes; null for none
   */
  SerialFilter(Class<?> type, @Nullable ObjectInputFilter further) {
    this(type, further, MAX_NANOS);
  }

  /** With another limit of the time that reading takes. */
  SerialFilter(Class<?> type, @Nullable ObjectInputFilter further, long maxNanos) {
    this.maxNanos = maxNanos;
    Class<?> element = element(type);
    this.declared =
        element.isPrimitive() || allows(JDK, element) == Status.ALLOWED || isOfJdk(element)
            ? null
            : element;
    this.further = further;
  }

  private static boolean isOfJdk(Class<?> type) {
    ClassLoader loader = type.getClassLoader();
    return loader == null || loader.equals(ClassLoader.getPlatformClassLoader());
  }

  private static Class<?> element(Class<?> type) {
    Class<?> element = type;
    while (element.isArray()) {
      element = element.getComponentType();
    }
    return element;
  }

  /** What a filter says of a class alone. */
  private static Status allows(ObjectInputFilter filter, Class<?> type) {
    return filter.checkInput(new Alone(type));
  }

  private record Alone(Class<?> serialClass) implements FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 1;
    }
  }

  /** Whether objects of a class, or of one that extends it, may be read. */
  boolean allows(Class<?> type) {
    Class<?> element = element(type);
    if (element.isPrimitive() || element == StoredRecord.class || element == StoredForm.class) {
      return true;
    }
    Status says = further == null ? Status.UNDECIDED : allows(further, element);
    if (says != Status.UNDECIDED) {
      return says == Status.ALLOWED;
    }
    // An interface has no objects, but arrays and proxies, whose parts are objects like others.
    return element.isInterface()
        || Proxy.isProxyClass(element)
        || element == Proxy.class
        || allows(JDK, element) == Status.ALLOWED
        || isDeclared(element);
  }

  private boolean isDeclared(Class<?> type) {
    Class<?> of = declared;
    if (of == null) {
      return false;
    }
    String its = of.getPackageName();
    return of.isAssignableFrom(type)
        || type.isAssignableFrom(of)
        || type.getPackageName().equals(its)
        || (!its.isEmpty() && type.getPackageName().startsWith(its + '.'));
  }

  /**
   * Checks that what is written can be read.
   *
   * @throws IllegalArgumentException if a class of the object is not allowed
   */
  void requireAllowed(Class<?> type) {
    if (written.contains(type) || ObjectStreamException.class.isAssignableFrom(type)) {
      return; // or the stream writes why it failed
    }
    for (Class<?> c = type; c != null && Serializable.class.isAssignableFrom(c); ) {
      requireOne(c);
      c = c.getSuperclass();
    }
    if (!Serializable.class.isAssignableFrom(type)) {
      requireOne(type); // a record
    }
    written.add(type);
  }

  private void requireOne(Class<?> type) {
    if (!allows(type)) {
      throw new IllegalArgumentException(
          element(type).getName()
              + " is not among the classes that this cache deserializes: name it, or its package,"
              + " in the serial filter of the cache, or give the cache a codec for it");
    }
  }

  /** The filter for one key or value of this many bytes, which bounds what reading it takes. */
  Reading reading(int bytes) {
    return new Reading(bytes);
  }

  /** The filter of one key or value, and of those that are stored within it. For one thread. */
  final class Reading implements ObjectInputFilter {
    private final long maxElements;
    private final long start = System.nanoTime();
    private long elements;
    private int level; // of streams within the stream

    private Reading(int bytes) {
      this.maxElements = 2L * bytes + SPARE_ELEMENTS; // each element takes a byte at least
    }

    /** This filter, and that of the JVM. */
    ObjectInputFilter andThatOfTheJvm() {
      return ObjectInputFilter.merge(this, ObjectInputFilter.Config.getSerialFilter());
    }

    /**
     * Enters something that is stored within.
     *
     * @return false if it is nested too deeply
     */
    boolean enter() {
      if (++level > MAX_DEPTH) {
        Status _ = refuse("that is nested too deeply");
        return false;
      }
      return true;
    }

    /** Leaves what was entered. */
    void leave() {
      level--;
    }

    @Override
    public Status checkInput(FilterInfo info) {
      if (further != null && further.checkInput(info) == Status.REJECTED) {
        return refuse("that its filter rejects");
      }
      if (info.depth() + level > MAX_DEPTH) {
        return refuse("that is nested too deeply");
      }
      if (System.nanoTime() - start > maxNanos) {
        return refuse("that is not read after " + maxNanos / 1_000_000 + " ms");
      }
      if (info.arrayLength() >= 0) {
        elements += info.arrayLength();
        if (elements > maxElements) {
          return refuse("with arrays of more elements than it has bytes");
        }
      }
      Class<?> type = info.serialClass();
      if (type == null) {
        return Status.UNDECIDED;
      }
      return allows(type) ? Status.ALLOWED : refuse("of the class " + element(type).getName());
    }

    private Status refuse(String why) {
      if (warned.compareAndSet(false, true)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "a cache does not deserialize an object {0}"
                + ": it is a miss, and others may follow that are not reported; the serial filter of"
                + " the cache allows classes",
            why);
      }
      return Status.REJECTED;
    }
  }
}
