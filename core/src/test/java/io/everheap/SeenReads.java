package io.everheap;

import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A medium of which a test sees what is read. Sizes are not seen, nor whether one of the files
 * exists that every encrypted heap has.
 */
final class SeenReads {
  private static final Set<String> ALWAYS_THERE =
      Set.of("heap", "heap.crc", "heap.root", "heap.round", "keys", "");

  private static final Set<String> NO_READS = Set.of("name", "size", "close", "checkPages");

  private SeenReads() {}

  /** Sees each read, by any thread. */
  interface Seen {
    void read(String file, long from, long to);
  }

  /** The same medium, whose reads are seen. */
  static Medium of(Medium medium, Seen seen) {
    return (Medium)
        Proxy.newProxyInstance(
            Medium.class.getClassLoader(),
            new Class<?>[] {Medium.class},
            (self, method, arguments) -> {
              boolean looks = Set.of("exists", "list").contains(method.getName());
              if (looks && !ALWAYS_THERE.contains(arguments[0])) {
                seen.read((String) arguments[0], 0, Long.MAX_VALUE);
              }
              Object result = call(medium, method, arguments);
              return result instanceof MediumFile file ? file(file, seen) : result;
            });
  }

  private static MediumFile file(MediumFile file, Seen seen) {
    return (MediumFile)
        Proxy.newProxyInstance(
            MediumFile.class.getClassLoader(),
            new Class<?>[] {MediumFile.class},
            (self, method, arguments) -> {
              if (method.getName().equals("read")) {
                long from = (long) arguments[1];
                seen.read(file.name(), from, from + ((ByteBuffer) arguments[0]).remaining());
              } else if (!NO_READS.contains(method.getName())) {
                seen.read(file.name(), 0, Long.MAX_VALUE);
              }
              return call(file, method, arguments);
            });
  }

  private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
