package io.everheap.weaver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A source of class files, which are read but not loaded.
 *
 * @since 0.9
 */
@FunctionalInterface
public interface ClassSource {
  /**
   * The bytes of a class file.
   *
   * @param name internal, such as {@code java/lang/String}
   * @return null if there is none
   */
  byte @Nullable [] find(String name);

  /** The class files that a class loader finds as resources. */
  static ClassSource of(ClassLoader loader) {
    return name -> {
      try (InputStream in = loader.getResourceAsStream(name + ".class")) {
        return in == null ? null : in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read " + name, e);
      }
    };
  }
}
