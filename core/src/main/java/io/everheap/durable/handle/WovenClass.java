package io.everheap.durable.handle;

import io.everheap.durable.ObjectType;
import io.everheap.durable.Woven;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A durable class after weaving: in place of each field it has a method that reads it, with the
 * type and the annotations of the field, and one that writes it.
 *
 * <p>Safe for use by many threads; lives as long as the class.
 */
public final class WovenClass {
  /** The version of woven code that this library supports. */
  static final int VERSION = 1;

  static final String GETTER = "everheap$get$";

  private static final MethodType NO_ARGUMENTS = MethodType.methodType(void.class);
  private static final MethodType ATTACH =
      MethodType.methodType(void.class, ObjectType.class, long.class, long.class);

  private static final ClassValue<WovenClass> CLASSES =
      new ClassValue<>() {
        @Override
        protected WovenClass computeValue(Class<?> type) {
          return new WovenClass(type);
        }
      };

  private final Class<?> type;
  private final List<String> fields = new ArrayList<>();
  private volatile MethodHandles.@Nullable Lookup lookup;
  private volatile @Nullable ObjectHandle prototype;

  private WovenClass(Class<?> type) {
    this.type = type;
    Class<?> parent = type.getSuperclass();
    if (parent != null && ObjectHandle.class.isAssignableFrom(parent)) {
      // Not for Object: a class of the JDK would keep this library after its class loader ended.
      fields.addAll(of(parent).fields);
    }
    getters(type).forEach(getter -> fields.add(fieldOf(getter)));
  }

  /** Returns the woven class of a class. */
  public static WovenClass of(Class<?> type) {
    return CLASSES.get(type);
  }

  /**
   * Checks that a durable class was woven.
   *
   * @throws IllegalArgumentException if not; the message says how to weave it
   */
  public static void requireWoven(Class<?> type) {
    Woven woven = type.getAnnotation(Woven.class);
    if (woven == null || !ObjectHandle.class.isAssignableFrom(type)) {
      throw new IllegalArgumentException(
          type.isRecord() || type.isEnum()
              ? type.getName() + " is a value, not an object: it needs no @Durable"
              : notWoven(type));
    }
    if (woven.value() != VERSION) {
      throw new IllegalArgumentException(
          type.getName() + " was woven for another version of the library: weave it again");
    }
  }

  private static String notWoven(Class<?> type) {
    return "The @Durable class "
        + type.getName()
        + " was not woven. If the build has the plug-in everheap-maven-plugin, it wove no class of"
        + " this directory, or another compiler wrote the class since: build with mvn compile (tests:"
        + " mvn test-compile), let the IDE hand its builds over to Maven, and see that the goals weave"
        + " and weave-tests are listed. Else add to the plugins of the pom\n"
        + "  <plugin><groupId>io.everheap</groupId><artifactId>everheap-maven-plugin</artifactId>"
        + "<version>${everheap.version}</version>"
        + "<executions><execution><goals><goal>weave</goal><goal>weave-tests</goal></goals>"
        + "</execution></executions></plugin>\n"
        + "or start Java with -javaagent:everheap-weaver.jar, or make it an interface";
  }

  /** Returns the methods that read the fields which a class itself declares, by name. */
  public static List<Method> getters(Class<?> type) {
    return Arrays.stream(type.getDeclaredMethods())
        .filter(m -> m.getName().startsWith(GETTER) && !Modifier.isStatic(m.getModifiers()))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  /** Returns the name of the field that a method reads. */
  public static String fieldOf(Method getter) {
    return getter.getName().substring(GETTER.length());
  }

  /** Sets the lookup with which the class itself can be reached. */
  public void register(MethodHandles.Lookup given) {
    lookup = given;
  }

  /** Returns the index of a field; of two with one name, the index of the subclass's field. */
  public int index(String field) {
    return fields.lastIndexOf(field);
  }

  /** The names of all fields, by index. */
  public List<String> fields() {
    return fields;
  }

  /** Returns a handle that creates others of the class and has no object itself. */
  public ObjectHandle prototype() {
    ObjectHandle known = prototype;
    if (known == null) {
      try {
        MethodHandle constructor = lookup().findConstructor(type, ATTACH);
        known = (ObjectHandle) constructor.invoke((ObjectType) null, 0L, 0L);
      } catch (Throwable e) {
        throw new IllegalStateException("cannot make handles of " + type.getName(), e);
      }
      prototype = known;
    }
    return known;
  }

  /**
   * Runs the constructor without parameters.
   *
   * @throws IllegalArgumentException if there is none
   */
  public Object construct() {
    MethodHandle constructor;
    try {
      constructor = lookup().findConstructor(type, NO_ARGUMENTS);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          type.getName()
              + " has no constructor without parameters: use another one with 'new' inside a"
              + " transaction",
          e);
    }
    try {
      return constructor.invoke();
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e, "the constructor of " + type.getName());
    }
  }

  private MethodHandles.Lookup lookup() {
    try {
      Class.forName(type.getName(), true, type.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(type.getName(), e);
    }
    MethodHandles.Lookup given = lookup;
    if (given == null) {
      throw new IllegalStateException(type.getName() + " was not initialised");
    }
    return given;
  }
}
