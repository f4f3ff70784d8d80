package io.everheap.durable;

import io.everheap.Heap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * One version of a program's interfaces, compiled by the test and loaded by a class loader of its
 * own. The sources are in package {@code bank}; what they annotate needs no import.
 */
final class Compiled {
  private final URLClassLoader loader;

  private Compiled(URLClassLoader loader) {
    this.loader = loader;
  }

  /**
   * Compiles.
   *
   * @param directory that is used up
   * @param sources of one top-level type each: {@code "@Durable public interface Account {...}"}
   */
  static Compiled of(Path directory, String... sources) {
    try {
      Path out = Files.createTempDirectory(directory, "classes");
      List<String> arguments =
          new ArrayList<>(List.of("-proc:none", "-cp", location(Heap.class), "-d", out.toString()));
      for (String source : sources) {
        String name = source.replaceAll("(?s).*?(?:interface|enum|record) (\\w+).*", "$1");
        Path file = Files.createTempDirectory(out, "src").resolve(name + ".java");
        Files.writeString(
            file,
            "package bank; import io.everheap.durable.*; import io.everheap.codec.*; " + source);
        arguments.add(file.toString());
      }
      ToolProvider compiler = ToolProvider.findFirst("javac").orElseThrow();
      int result = compiler.run(System.out, System.err, arguments.toArray(String[]::new));
      if (result != 0) {
        throw new IllegalArgumentException("it does not compile: " + List.of(sources));
      }
      ClassLoader parent = Compiled.class.getClassLoader();
      return new Compiled(new URLClassLoader(new URL[] {out.toUri().toURL()}, parent));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String location(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }

  /** The type of this simple name. */
  Class<?> type(String name) {
    try {
      return loader.loadClass("bank." + name);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A record of this class. */
  Object make(String name, @Nullable Object... components) {
    try {
      return type(name).getConstructors()[0].newInstance(components);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** The constant of an enum. */
  Object constant(String type, String name) {
    for (Object constant : type(type).getEnumConstants()) {
      if (constant.toString().equals(name)) {
        return constant;
      }
    }
    throw new IllegalArgumentException(name);
  }

  /** Reads a field. */
  static Object get(Object object, String field) {
    try {
      return object.getClass().getMethod(field).invoke(object);
    } catch (ReflectiveOperationException e) {
      throw rethrown(e);
    }
  }

  /** Writes a field. */
  static void set(Object object, String field, Object value) {
    try {
      for (var method : object.getClass().getMethods()) {
        if (method.getName().equals(field) && method.getParameterCount() == 1) {
          method.invoke(object, value);
          return;
        }
      }
    } catch (ReflectiveOperationException e) {
      throw rethrown(e);
    }
    throw new IllegalArgumentException("nothing writes " + field);
  }

  private static RuntimeException rethrown(ReflectiveOperationException e) {
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }
}
