package io.everheap.testkit.mutation;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Loads Everheap, its testkit and the scenarios anew, with one class changed. */
final class MutantLoader extends ClassLoader {
  private static final String OURS = "io.everheap.";

  private final @Nullable Mutant mutant;

  MutantLoader(@Nullable Mutant mutant) {
    super(MutantLoader.class.getClassLoader());
    this.mutant = mutant;
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
        if (mutant != null && name.equals(mutant.className())) {
          bytes = mutant.change().apply(bytes, mutant.method());
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

  /**
   * Runs a scenario; throws what it throws.
   *
   * @param scenario a method of {@code MutationScenarios}, or of another class, with a dot between
   */
  void run(String scenario) throws Throwable {
    int dot = scenario.indexOf('.');
    String owner = dot < 0 ? "MutationScenarios" : scenario.substring(0, dot);
    try {
      loadClass("io.everheap.testkit." + owner).getMethod(scenario.substring(dot + 1)).invoke(null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
