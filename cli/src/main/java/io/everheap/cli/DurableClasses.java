package io.everheap.cli;

import io.everheap.codec.Was;
import io.everheap.durable.Durable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * The durable classes on a class path, and those of stored values. They are found by reading class
 * files, and loaded by a class loader of their own; no code of theirs runs.
 */
final class DurableClasses implements AutoCloseable {
  private static final String MARK = Durable.class.descriptorString();
  private static final String WAS = Was.class.descriptorString();
  private static final String SUFFIX = ".class";

  private final List<Path> classPath;
  private final URLClassLoader loader;

  /** Finds the classes of the library and the JDK, but no other class of this program. */
  private static final class Library extends ClassLoader {
    Library() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith("io.everheap.") && !name.startsWith("io.everheap.cli.")) {
        return Class.forName(name, false, DurableClasses.class.getClassLoader());
      }
      throw new ClassNotFoundException(name);
    }
  }

  /**
   * Scans jars and directories.
   *
   * @throws NoSuchFileException if one of them does not exist
   */
  DurableClasses(List<Path> classPath) throws IOException {
    this.classPath = List.copyOf(classPath);
    URL[] urls = new URL[classPath.size()];
    for (int i = 0; i < urls.length; i++) {
      if (!Files.exists(classPath.get(i))) {
        throw new NoSuchFileException(classPath.get(i).toString());
      }
      urls[i] = url(classPath.get(i));
    }
    this.loader = new URLClassLoader(urls, new Library());
  }

  private static URL url(Path path) throws MalformedURLException {
    return path.toUri().toURL();
  }

  /**
   * Loads the classes, in the order of their names.
   *
   * @param values names, present or former, of records, enums and sealed types to include
   */
  List<Class<?>> load(Set<String> values) throws IOException {
    Set<String> names = new TreeSet<>();
    for (Path entry : classPath) {
      if (Files.isDirectory(entry)) {
        collect(entry, values, names);
      } else {
        try (FileSystem jar = FileSystems.newFileSystem(entry)) {
          collect(jar.getPath("/"), values, names);
        } catch (ProviderNotFoundException | ZipException e) {
          throw new IOException(entry + " cannot be read as a jar: " + e.getMessage(), e);
        }
      }
    }
    List<Class<?>> classes = new ArrayList<>();
    for (String name : names) {
      try {
        classes.add(Class.forName(name, false, loader));
      } catch (ClassNotFoundException | LinkageError e) {
        throw new IOException("the class " + name + " cannot be loaded: " + e, e);
      }
    }
    return classes;
  }

  private static void collect(Path root, Set<String> values, Set<String> names) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      files
          .filter(file -> file.toString().endsWith(SUFFIX))
          .filter(file -> !root.relativize(file).startsWith("META-INF"))
          .forEach(file -> add(file, values, names));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void add(Path file, Set<String> values, Set<String> names) {
    try {
      ClassModel model = ClassFile.of().parse(Files.readAllBytes(file));
      String name = model.thisClass().asInternalName().replace('/', '.');
      boolean wanted =
          values.contains(name)
              || model
                  .findAttribute(Attributes.runtimeVisibleAnnotations())
                  .map(RuntimeVisibleAnnotationsAttribute::annotations)
                  .orElse(List.of())
                  .stream()
                  .anyMatch(annotation -> isDurable(annotation) || wasOneOf(annotation, values));
      if (wanted) {
        names.add(name);
      }
    } catch (IllegalArgumentException e) {
      // not a class file, in spite of its name
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isDurable(Annotation annotation) {
    return annotation.className().equalsString(MARK);
  }

  /** Whether the annotation states one of the names as a former name. */
  private static boolean wasOneOf(Annotation annotation, Set<String> names) {
    return annotation.className().equalsString(WAS)
        && annotation.elements().stream()
            .flatMap(
                element ->
                    element.value() instanceof AnnotationValue.OfArray array
                        ? array.values().stream()
                        : Stream.of(element.value()))
            .anyMatch(
                value ->
                    value instanceof AnnotationValue.OfString text
                        && names.contains(text.stringValue()));
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
