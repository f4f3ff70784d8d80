package io.everheap.testkit;

import java.io.IOException;
import java.io.InputStream;

/** Loads Everheap, its testkit and the tests of it anew, with classes changed. */
public abstract class ChangedClasses extends ClassLoader {
  private static final String OURS = "io.everheap.";
  private static final String TESTKIT = "io.everheap.testkit.";
  private static final String SUPPORT = "io.everheap.support.";

  /** Creates a loader beside that of the tests. */
  protected ChangedClasses() {
    super(ChangedClasses.class.getClassLoader());
  }

  /** Returns the bytes that a class is defined by; called with the loader's lock of the class. */
  protected abstract byte[] change(String name, byte[] bytes);

  /** Whether a class is the library's, and neither the testkit's nor a test's. */
  protected static boolean isLibrary(String name) {
    return name.startsWith(OURS) && !name.startsWith(TESTKIT) && !name.startsWith(SUPPORT);
  }

  @Override
  protected final Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(OURS)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded == null) {
        byte[] bytes = change(name, bytes(name));
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
