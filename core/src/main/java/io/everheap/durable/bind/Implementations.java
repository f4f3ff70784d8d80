package io.everheap.durable.bind;

import io.everheap.durable.ObjectType;
import io.everheap.durable.handle.BoundField;
import io.everheap.durable.runtime.DurableObject;
import io.everheap.error.UnsupportedTypeException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The classes that implement durable interfaces, one for each layout that an interface has in some
 * heap of this process. They live as long as their interface. Safe for use by many threads.
 */
final class Implementations {
  private static final MethodType CONSTRUCTOR =
      MethodType.methodType(void.class, ObjectType.class, long.class, long.class);

  private static final ClassValue<Map<String, DurableObject>> PROTOTYPES =
      new ClassValue<>() {
        @Override
        protected Map<String, DurableObject> computeValue(Class<?> type) {
          return new ConcurrentHashMap<>();
        }
      };

  private static final AtomicInteger NUMBER = new AtomicInteger();

  private Implementations() {}

  /**
   * Returns a prototype of the class for an interface and a layout.
   *
   * @param lookups of the heap
   * @throws UnsupportedTypeException if the interface cannot be reached
   */
  static DurableObject prototype(
      ClassModel model, Map<String, BoundField> fields, List<MethodHandles.Lookup> lookups) {
    Map<String, DurableObject> known = PROTOTYPES.get(model.type);
    String layout =
        fields.values().stream()
            .map(f -> f.name() + ' ' + f.position() + ' ' + f.offset() + ' ' + f.storage())
            .sorted()
            .collect(Collectors.joining(","));
    DurableObject prototype = known.get(layout);
    if (prototype == null) {
      prototype = make(reach(model.type, lookups), model, fields);
      DurableObject earlier = known.putIfAbsent(layout, prototype);
      prototype = earlier != null ? earlier : prototype;
    }
    return prototype;
  }

  /** Defines a hidden class if it can; a lookup from another module can define only named ones. */
  private static DurableObject make(
      MethodHandles.Lookup lookup, ClassModel model, Map<String, BoundField> fields) {
    try {
      MethodHandle constructor;
      if (lookup.hasFullPrivilegeAccess()) {
        byte[] bytes = new Implementer(model, fields, "").bytes();
        MethodHandles.Lookup defined = lookup.defineHiddenClass(bytes, true);
        constructor = defined.findConstructor(defined.lookupClass(), CONSTRUCTOR);
      } else {
        String unique = String.valueOf(NUMBER.incrementAndGet());
        Class<?> defined = lookup.defineClass(new Implementer(model, fields, unique).bytes());
        constructor = lookup.findConstructor(defined, CONSTRUCTOR);
      }
      return (DurableObject) constructor.invoke(null, 0L, 0L);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot implement " + model.type.getName(), e);
    }
  }

  /** Returns a lookup that may define classes in the package of the interface. */
  private static MethodHandles.Lookup reach(Class<?> type, List<MethodHandles.Lookup> lookups) {
    Implementations.class.getModule().addReads(type.getModule());
    MethodHandles.Lookup found = reach(type, MethodHandles.lookup());
    for (MethodHandles.Lookup lookup : lookups) {
      MethodHandles.Lookup there = reach(type, lookup);
      if (there != null && (found == null || there.hasFullPrivilegeAccess())) {
        found = there;
      }
    }
    if (found != null) {
      return found;
    }
    throw new UnsupportedTypeException(
        type.getName(),
        type.getSimpleName(),
        "its package is not open to this library; give HeapBuilder.lookup a"
            + " MethodHandles.lookup() made in its module, or open the package to io.everheap",
        null);
  }

  private static MethodHandles.@Nullable Lookup reach(Class<?> type, MethodHandles.Lookup lookup) {
    try {
      return MethodHandles.privateLookupIn(type, lookup);
    } catch (IllegalAccessException e) {
      return null;
    }
  }
}
