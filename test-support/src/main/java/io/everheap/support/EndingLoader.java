package io.everheap.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Loads classes of a library and of a test again, apart from those of the test, until it ends. It
 * remembers which classes were asked for after that. Thread-safe.
 */
public final class EndingLoader extends URLClassLoader {
  private final Set<String> missed = ConcurrentHashMap.newKeySet();
  private volatile boolean ended;

  /**
   * Creates a loader.
   *
   * @param types classes, of which the directories or jars are loaded from
   */
  public EndingLoader(Class<?>... types) {
    super(
        Arrays.stream(types)
            .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
            .distinct()
            .toArray(URL[]::new),
        ClassLoader.getPlatformClassLoader());
  }

  /** Loads nothing from now on, and closes its jars. */
  public void end() {
    ended = true;
    try {
      close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the classes that were asked for after the end.
   *
   * @return their names
   */
  public Set<String> missed() {
    return missed;
  }

  @Override
  protected Class<?> findClass(String name) throws ClassNotFoundException {
    if (ended) {
      missed.add(name);
      throw new ClassNotFoundException(name + " of a class loader that was closed");
    }
    return super.findClass(name);
  }

  /**
   * Makes an object of a class of a test, loaded here.
   *
   * @param <T> an interface of the JDK that the class has
   * @param program the class, with a public constructor without parameters
   * @return the object
   * @throws ReflectiveOperationException if there is no such class or constructor
   */
  @SuppressWarnings("unchecked") // the test names the interface
  public <T> T make(Class<? extends T> program) throws ReflectiveOperationException {
    return (T) loadClass(program.getName()).getConstructor().newInstance();
  }
}
