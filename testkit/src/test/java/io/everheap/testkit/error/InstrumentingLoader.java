package io.everheap.testkit.error;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.UnaryOperator;

/**
 * Loads Everheap, its testkit and the explorer anew, with the library instrumented. Woven classes
 * and those that the library makes itself are not.
 */
final class InstrumentingLoader extends ClassLoader {
  private static final String OURS = "io.everheap.";
  private static final String TESTKIT = "io.everheap.testkit.";

  private final UnaryOperator<byte[]>
      instrumenter; // its places are those of the classes loaded here

  @SuppressWarnings("unchecked")
  InstrumentingLoader() throws ReflectiveOperationException {
    super(InstrumentingLoader.class.getClassLoader());
    instrumenter =
        (UnaryOperator<byte[]>)
            loadClass(Instrumenter.class.getName()).getMethod("instrumenter").invoke(null);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = bytes(name);
        if (!name.startsWith(TESTKIT)) {
          bytes = instrumenter.apply(bytes);
        }
        loaded = defineClass(name, bytes, 0, bytes.length);
      }
      return loaded;
    }
  }

  private byte[] bytes(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
