package io.everheap.codec.check;

import io.everheap.codec.Codec;
import io.everheap.codec.Codecs;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The constants of {@link Codecs}, by the class of their values and by their name. */
public final class BuiltIns {
  private static final Map<Class<?>, Codec<?>> BY_CLASS = byClass();

  private static final Map<String, Codec<?>> BY_NAME =
      BY_CLASS.values().stream()
          .distinct()
          .collect(Collectors.toUnmodifiableMap(Codec::name, Function.identity()));

  private BuiltIns() {}

  /** The codec of a class or primitive type, or null. */
  public static @Nullable Codec<?> of(Class<?> type) {
    return BY_CLASS.get(type);
  }

  /** The codec that has a name, or null. */
  public static @Nullable Codec<?> of(String name) {
    return BY_NAME.get(name);
  }

  private static Map<Class<?>, Codec<?>> byClass() {
    Map<Class<?>, Codec<?>> map = new HashMap<>();
    for (Field constant : Codecs.class.getFields()) {
      var codecOf = (ParameterizedType) constant.getGenericType();
      var type = (Class<?>) codecOf.getActualTypeArguments()[0];
      try {
        Codec<?> codec = (Codec<?>) constant.get(null);
        map.put(type, codec);
        map.put(MethodType.methodType(type).unwrap().returnType(), codec);
      } catch (IllegalAccessException e) {
        throw new AssertionError(constant.getName(), e);
      }
    }
    return Map.copyOf(map);
  }
}
