package io.everheap.cache.codec;

import java.io.InvalidClassException;
import java.io.Serializable;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The serialized form of a record that is not {@link Serializable}, or of an {@link Optional}: its
 * class, and the names and values of its components. {@link SharingOutput} puts it in place of the
 * record wherever that is, and {@link LoaderInput} makes the record again. If the class has other
 * components since, the bytes cannot be read. A record must not contain itself. Immutable.
 */
final class StoredRecord implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Class<?> type;
  private final String[] names;
  private final @Nullable Object[] values;

  private StoredRecord(Class<?> type, String[] names, @Nullable Object[] values) {
    this.type = type;
    this.names = names;
    this.values = values;
  }

  /** Whether an object is stored in this form. */
  static boolean applies(@Nullable Object part) {
    return part instanceof Optional || (part instanceof Record && !(part instanceof Serializable));
  }

  /**
   * The form of a record or an optional value.
   *
   * @throws IllegalArgumentException if the components cannot be read
   */
  static StoredRecord of(Object part) {
    if (part instanceof Optional<?> optional) {
      return new StoredRecord(
          Optional.class, new String[0], new @Nullable Object[] {optional.orElse(null)});
    }
    RecordComponent[] components = part.getClass().getRecordComponents();
    String[] names = new String[components.length];
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < components.length; i++) {
      names[i] = components[i].getName();
      values[i] = read(part, components[i].getAccessor());
    }
    return new StoredRecord(part.getClass(), names, values);
  }

  private static @Nullable Object read(Object part, Method accessor) {
    try {
      accessor.setAccessible(true);
      return accessor.invoke(part);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          part.getClass().getName() + "." + accessor.getName() + "() failed", e.getCause());
    } catch (IllegalAccessException | RuntimeException e) {
      throw new IllegalArgumentException(
          "the record "
              + part.getClass().getName()
              + " is neither Serializable nor accessible: let its module open its package",
          e);
    }
  }

  /** Makes the record. */
  Object resolve() throws InvalidClassException {
    if (type == Optional.class && values.length == 1) {
      return Optional.ofNullable(values[0]);
    }
    RecordComponent[] components = type.getRecordComponents();
    if (components == null
        || !Arrays.equals(
            names,
            Arrays.stream(components).map(RecordComponent::getName).toArray(String[]::new))) {
      throw new InvalidClassException(
          type.getName(), "has other components than the stored record");
    }
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException | RuntimeException e) {
      var failure = new InvalidClassException(type.getName(), "refuses the stored components");
      failure.initCause(e);
      throw failure;
    }
  }
}
