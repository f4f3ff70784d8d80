package io.everheap.cache;

import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Files of directories, of which a test sees the calls, and whose mappings it replaces. */
final class HookedFiles {
  private static final Set<String> OPENING = Set.of("open", "create");

  private HookedFiles() {}

  /** A mapping that a test changes; its memory is that of the other one. */
  static class Mapping extends Region {
    private final Region under;

    Mapping(Region under) {
      super(under.claim(0, under.size()), null); // which may be written
      this.under = under;
    }

    @Override
    public void force(long offset, long length) {
      under.force(offset, length);
    }

    @Override
    public void close() {
      under.close();
    }
  }

  /** The files of a directory. */
  static Medium open(Path directory, Consumer<String> before, UnaryOperator<Region> mapped) {
    Medium medium = FileMedium.open(directory, false, true);
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (proxy, method, arguments) -> {
              Object result = call(medium, method, arguments);
              return OPENING.contains(method.getName())
                  ? file((MediumFile) result, before, mapped)
                  : result;
            });
  }

  private static MediumFile file(
      @Nullable MediumFile file, Consumer<String> before, UnaryOperator<Region> mapped) {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (proxy, method, arguments) -> {
              before.accept(method.getName());
              Object result = call(file, method, arguments);
              return result instanceof Region region ? mapped.apply(region) : result;
            });
  }

  private static @Nullable Object call(
      @Nullable Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
