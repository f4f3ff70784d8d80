package io.everheap.engine.home;

import io.everheap.error.MediumException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.MemoryMedium;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A medium with keys but without encryption, so that tests can change what is stored. */
final class SealedTables {
  private final MemoryMedium memory = new MemoryMedium();
  private boolean failing;

  final Medium medium = proxy(Medium.class, this::invoke);

  /** Makes each write to a file fail, or not. */
  void fail(boolean writes) {
    failing = writes;
  }

  private interface Call {
    @Nullable Object of(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Call call) {
    Object made =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call.of(method, arguments));
    return type.cast(made);
  }

  private @Nullable Object invoke(Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "derivedKey" -> {
        byte[] name = ((String) arguments[0]).getBytes(StandardCharsets.UTF_8);
        yield Arrays.copyOf(name, 32);
      }
      case "encrypted", "hasKeyedPages" -> true;
      default -> {
        Object result = on(memory, method, arguments);
        yield result instanceof MediumFile file
            ? proxy(MediumFile.class, (called, its) -> invoke(file, called, its))
            : result;
      }
    };
  }

  private @Nullable Object invoke(MediumFile file, Method method, Object[] arguments)
      throws Throwable {
    if (failing && method.getName().equals("write")) {
      throw new MediumException("the device failed", null);
    }
    return on(file, method, arguments);
  }

  private static @Nullable Object on(Object target, Method method, Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
