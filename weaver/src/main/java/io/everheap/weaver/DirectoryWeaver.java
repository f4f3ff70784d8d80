package io.everheap.weaver;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Weaves all classes in a directory, in place. Woven classes stay as they are.
 *
 * @since 0.9
 */
public final class DirectoryWeaver {
  private final Path directory;
  private final List<Path> classPath;

  /**
   * A weaver.
   *
   * @param directory that a compiler wrote to
   * @param classPath directories and jars that these classes use
   */
  public DirectoryWeaver(Path directory, List<Path> classPath) {
    this.directory = directory;
    this.classPath = List.copyOf(classPath);
  }

  /**
   * Weaves.
   *
   * @return names of the classes that were changed, sorted
   * @throws WeavingException if some cannot be woven, with the problems of all of them; then none
   *     was changed
   */
  public List<String> weave() throws IOException {
    try (URLClassLoader loader = new URLClassLoader(urls(), ClassLoader.getPlatformClassLoader())) {
      Weaver weaver = new Weaver(ClassSource.of(loader));
      List<Woven> changed = new ArrayList<>();
      List<String> problems = new ArrayList<>();
      for (Path file : classFiles()) {
        try {
          byte[] woven = weaver.weave(Files.readAllBytes(file));
          if (woven != null) {
            changed.add(new Woven(file, woven));
          }
        } catch (WeavingException e) {
          e.problems().forEach(problem -> problems.add(e.className() + ": " + problem));
        } catch (IllegalArgumentException e) {
          problems.add(name(file) + ": it cannot be read as a class file: " + e.getMessage());
        }
      }
      if (!problems.isEmpty()) {
        throw new WeavingException(
            problems.size() == 1 ? "a class" : problems.size() + " classes or members", problems);
      }
      for (Woven each : changed) {
        Files.write(each.file, each.bytes);
      }
      return changed.stream().map(each -> name(each.file)).toList();
    }
  }

  private record Woven(Path file, @SuppressWarnings("ArrayRecordComponent") byte[] bytes) {}

  private String name(Path file) {
    String path = directory.relativize(file).toString().replace('\\', '/');
    return path.substring(0, path.length() - ".class".length()).replace('/', '.');
  }

  private List<Path> classFiles() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(directory)) {
      return files
          .filter(file -> file.toString().endsWith(".class") && !file.endsWith("module-info.class"))
          .sorted()
          .toList();
    }
  }

  private URL[] urls() throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    urls.add(directory.toUri().toURL());
    for (Path entry : classPath) {
      urls.add(entry.toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }
}
