package io.everheap.cache.codec;

import io.everheap.codec.contract.Containers;
import io.everheap.codec.contract.NormalForms;
import io.everheap.error.CorruptValueException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serializes a key so that equal keys have the same bytes, as far as its classes allow: a list, set
 * or map within it is replaced by its {@link StoredForm}, and equal parts are written as if they
 * were one. Serialization refers back to what it has written already, so the bytes would else
 * depend on whether equal parts are the same objects.
 *
 * <p>A container keeps its class if the class of the key, or of a part that was written before,
 * declares a field of a type that the stored form is not read as, and the container is one. For one
 * thread.
 */
final class FormOutput extends ObjectOutputStream {
  /** How many parts of a key are compared with others. */
  private static final int MAX_COMPARED = 64;

  /** What lists and sets of the JDK without public classes are replaced by when serialized. */
  private static final String COLLECTION_PROXY = "java.util.CollSer";

  /** The class itself is what addresses are replaced by. */
  private static final String ADDRESS_PROXY = "java.net.InetAddress";

  private static final String ENUM_SET_PROXY = "java.util.EnumSet$SerializationProxy";

  private final OneFormCodec<?> codec;
  private final boolean compares;
  private final Map<Object, Object> shared = new HashMap<>(); // scalars and stored forms
  private final Map<Class<?>, List<Object>> written = new HashMap<>();
  private final List<Class<?>> declared = new ArrayList<>(); // types that keep containers
  private boolean begun;
  private boolean reformed;
  private int compared;

  /**
   * Begins a key.
   *
   * @param compares whether equal parts are written as one
   */
  FormOutput(OutputStream out, OneFormCodec<?> codec, boolean compares) throws IOException {
    super(out);
    this.codec = codec;
    this.compares = compares;
    enableReplaceObject(true);
  }

  /** Whether earlier builds may have written other bytes. */
  boolean isReformed() {
    return reformed;
  }

  @Override
  protected @Nullable Object replaceObject(@Nullable Object part) throws IOException {
    if (part == null || part instanceof Class) {
      return part;
    }
    if (part instanceof Enum) {
      requireAllowed(part);
      return part;
    }
    if (isScalar(part)) {
      return shared.computeIfAbsent(part, key -> key);
    }
    boolean isRoot = !begun;
    begun = true;
    Object normal = NormalForms.of(part);
    if (normal != null) {
      reformed = true;
      return isRoot ? normal : oneOfEqual(normal);
    }
    if (StoredRecord.applies(part)) {
      requireAllowed(part);
      declared.addAll(DECLARED.get(part.getClass()));
      Object stored = StoredRecord.of(part);
      return isRoot ? stored : oneOfEqual(stored);
    }
    Containers.requireComparable(part);
    if (!isRoot) {
      Object form = formOf(part);
      if (form != null) {
        return form;
      }
    }
    requireAllowed(part);
    declared.addAll(DECLARED.get(part.getClass()));
    return isRoot ? part : oneOfEqual(part);
  }

  /** Checks that a part can be read; copies are of parts that were checked, or are replaced. */
  private void requireAllowed(Object part) {
    if (compares) {
      codec.filter().requireAllowed(part.getClass());
    }
  }

  private static boolean isScalar(Object part) {
    return part instanceof String
        || part instanceof Character
        || part instanceof Boolean
        || (part instanceof Number && part.getClass().getPackageName().equals("java.lang"));
  }

  // --- containers ---

  /** The stored form of a container, or of an address; null if it is none, or keeps its class. */
  private @Nullable Object formOf(Object part) throws IOException {
    Object container = part;
    String name = part.getClass().getName();
    if (name.equals(COLLECTION_PROXY)
        || name.equals(ADDRESS_PROXY)
        || (name.equals(ENUM_SET_PROXY) && !declared.contains(EnumSet.class))) {
      container = copy(part);
    } else if (STANDS_FOR_ANOTHER.get(part.getClass())) {
      container = copyIfPossible(part);
    }
    if (container instanceof InetAddress address) {
      return shared(OneFormCodec.form(address));
    }
    Containers.Kind kind = Containers.kind(container);
    if (kind == null) {
      return null;
    }
    if (keepsItsClass(container)) {
      Object sorted = Containers.naturallySorted(container);
      if (sorted != null && fitsLike(sorted, container)) {
        reformed = true;
        return oneOfEqual(sorted);
      }
      Containers.requireOneSerializedForm(container, kind);
      return null;
    }
    return shared(codec.form(container, kind));
  }

  private Object shared(byte[] form) {
    reformed = true;
    return shared.computeIfAbsent(new StoredForm(form), key -> key);
  }

  private boolean keepsItsClass(Object container) {
    return declared.stream().anyMatch(type -> type.isInstance(container));
  }

  /** Whether each field that another container fits has a type that a container has as well. */
  private boolean fitsLike(Object container, Object other) {
    return declared.stream()
        .filter(type -> type.isInstance(other))
        .allMatch(type -> type.isInstance(container));
  }

  private Object copyIfPossible(Object part) {
    try {
      return copy(part);
    } catch (IOException | RuntimeException e) {
      return part; // it is written as it is, and refused if it cannot be read
    }
  }

  /**
   * The container that is read from what the JDK serializes in its place; the same if it is null.
   */
  private Object copy(Object proxy) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new FormOutput(bytes, codec, false)) {
      out.writeObject(proxy);
    }
    try {
      Object copied = codec.copy(bytes.toByteArray());
      return copied == null ? proxy : copied;
    } catch (CorruptValueException e) {
      var refused = new InvalidClassException(proxy.getClass().getName(), e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  /**
   * Whether the objects of a class of a program are read as others: those that are serialized in
   * place of a list, set or map, as the immutable ones of other libraries are.
   */
  private static final ClassValue<Boolean> STANDS_FOR_ANOTHER =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          for (Class<?> c = type; c != null && c.getClassLoader() != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
              if (method.getName().equals("readResolve") && method.getParameterCount() == 0) {
                return true;
              }
            }
          }
          return false;
        }
      };

  /** The types of fields that the class of no stored form fits, by the class that has them. */
  private static final ClassValue<List<Class<?>>> DECLARED =
      new ClassValue<>() {
        @Override
        protected List<Class<?>> computeValue(Class<?> type) {
          List<Class<?>> found = new ArrayList<>();
          if (type.isArray()) {
            add(type.getComponentType(), found);
          }
          if (type.isRecord()) { // also one that is not serializable
            Arrays.stream(type.getRecordComponents()).forEach(part -> add(part.getType(), found));
          }
          for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            ObjectStreamClass serialized =
                c.getClassLoader() == null ? null : ObjectStreamClass.lookup(c);
            if (serialized != null) {
              Arrays.stream(serialized.getFields()).forEach(field -> add(field.getType(), found));
            }
          }
          return List.copyOf(found);
        }

        private void add(Class<?> type, List<Class<?>> found) {
          boolean isContainer =
              Collection.class.isAssignableFrom(type)
                  || Map.class.isAssignableFrom(type)
                  || Map.Entry.class.isAssignableFrom(type);
          if (isContainer
              && Arrays.stream(Containers.Kind.values())
                  .noneMatch(kind -> type.isAssignableFrom(kind.read()))) {
            found.add(type);
          }
        }
      };

  // --- equal parts ---

  /** A part, or an equal one that was written before. */
  private Object oneOfEqual(Object part) throws IOException {
    if (!compares || compared >= MAX_COMPARED) {
      return part;
    }
    List<Object> before = written.computeIfAbsent(part.getClass(), type -> new ArrayList<>());
    if (!before.isEmpty()) {
      byte[] bytes = bytes(part);
      for (Object other : before) {
        compared++;
        if (Arrays.equals(bytes(other), bytes)) {
          return other;
        }
      }
    }
    before.add(part);
    return part;
  }

  private byte[] bytes(Object part) throws IOException {
    var bytes = new ByteArrayOutputStream();
    try (var out = new FormOutput(bytes, codec, false)) {
      out.writeObject(part);
    }
    return bytes.toByteArray();
  }
}
