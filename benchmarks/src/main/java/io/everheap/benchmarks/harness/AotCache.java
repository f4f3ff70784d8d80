package io.everheap.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loaded classes and profiles of methods that a JVM leaves for later ones (JEP 483, JEP 515), which
 * so start with code that is warm in part. Stateless but for its directory.
 */
public final class AotCache {
  private final Path directory;

  /**
   * Makes one that is empty.
   *
   * @param directory for its files, which exists
   */
  public AotCache(Path directory) {
    this.directory = directory;
  }

  /**
   * A JVM that fills it when it ends.
   *
   * @param launch how the JVM starts otherwise
   * @return how it is to be started
   * @throws IOException if its class path cannot be made
   */
  public Launch training(Launch launch) throws IOException {
    return with(launch, List.of("-XX:AOTCacheOutput=" + file()));
  }

  /**
   * A JVM that uses it, and does not start if it cannot.
   *
   * @param launch as of the training
   * @return how it is to be started
   * @throws IOException if its class path cannot be read
   */
  public Launch using(Launch launch) throws IOException {
    return with(launch, List.of("-XX:AOTCache=" + file(), "-XX:AOTMode=on"));
  }

  private Path file() {
    return directory.resolve("classes.aot");
  }

  private Launch with(Launch launch, List<String> its) throws IOException {
    List<String> options = new ArrayList<>(launch.options());
    options.addAll(its);
    return new Launch(launch.label(), launch.before(), options, jars(launch.classPath()));
  }

  /**
   * The class path with a jar for each directory, because such a cache has classes of jars only.
   */
  private String jars(@Nullable String classPath) throws IOException {
    String its = classPath == null ? System.getProperty("java.class.path") : classPath;
    List<String> entries = new ArrayList<>();
    for (String entry : its.split(File.pathSeparator, -1)) {
      Path path = Path.of(entry);
      entries.add(Files.isDirectory(path) ? jar(path, entries.size()).toString() : entry);
    }
    return String.join(File.pathSeparator, entries);
  }

  private Path jar(Path classes, int number) throws IOException {
    Path jar = directory.resolve(number + ".jar");
    if (!Files.exists(jar)) { // the same in training and use, or the cache is refused
      try (var out = new JarOutputStream(Files.newOutputStream(jar));
          Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
          out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          Files.copy(file, out);
        }
      }
    }
    return jar;
  }
}
