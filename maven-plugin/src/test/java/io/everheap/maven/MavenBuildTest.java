package io.everheap.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.Heap;
import io.everheap.support.tier.Processes;
import io.everheap.weaver.DirectoryWeaver;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A project that names the plug-in and nothing else, built by Maven, offline: with a local
 * repository that leads to the one of this build, and has what this build just compiled.
 */
@Processes
class MavenBuildTest {
  private static final Path MAVEN = Path.of(System.getProperty("maven.home", "none"), "bin/mvn");
  private static final Path LOCAL = Path.of(System.getProperty("maven.repo.local", "none"));
  private static final String VERSION = System.getProperty("everheap.version", "none");

  @TempDir private Path directory;
  private Path project;

  @BeforeEach
  void makeAProject() throws IOException {
    assumeTrue(
        Files.isExecutable(MAVEN) && Files.isDirectory(LOCAL), "run by Maven, not on Windows");
    project = Files.createDirectories(directory.resolve("project"));
    link(LOCAL, directory.resolve("repository"));
    publish("everheap", Heap.class, "jar", "");
    publish("everheap-weaver", DirectoryWeaver.class, "jar", "");
    publish("everheap-maven-plugin", WeaveMojo.class, "maven-plugin", "everheap-weaver");
    write("pom.xml", pom());
    write(
        "src/main/java/bank/Account.java",
        "package bank; import io.everheap.durable.*;"
            + "@Durable public class Account { long balance;"
            + " public long balance() { return balance; }"
            + " @Atomic public void deposit(long n) { balance += n; } }");
    write(
        "src/main/java/bank/Run.java",
        "package bank; import io.everheap.Heap;"
            + "public class Run implements java.util.function.Function<Heap, String> {"
            + "  public String apply(Heap heap) {"
            + "    Account a = heap.create(Account.class); a.deposit(3); a.balance++;"
            + "    return \"\" + a.balance; } }");
    write(
        "src/test/java/bank/RunSavings.java",
        "package bank; import io.everheap.Heap; import io.everheap.durable.*;"
            + "public class RunSavings implements java.util.function.Function<Heap, String> {"
            + "  @Durable static class Savings extends Account { double rate = 1.5; }"
            + "  public String apply(Heap heap) {"
            + "    Savings s = heap.create(Savings.class); s.deposit(3); s.rate *= 2;"
            + "    return s.balance() + \" \" + s.rate; } }");
  }

  /** The directories of a local repository, but for this project's artifacts. */
  private static void link(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (Path entry : list(from)) {
      Path link = to.resolve(entry.getFileName());
      if (entry.endsWith("io") && Files.isDirectory(entry)) {
        link(entry, link);
      } else if (!entry.endsWith("io/everheap")) {
        Files.createSymbolicLink(link, entry.toAbsolutePath());
      }
    }
  }

  private static List<Path> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.toList();
    }
  }

  /** Puts the classes that a class is among into the repository. */
  private void publish(String name, Class<?> member, String packaging, String dependency)
      throws IOException {
    Path classes = Path.of(member.getProtectionDomain().getCodeSource().getLocation().getPath());
    Path to = directory.resolve("repository/io/everheap").resolve(name).resolve(VERSION);
    Files.createDirectories(to);
    Path jar = to.resolve(name + "-" + VERSION + ".jar");
    if (Files.isDirectory(classes)) {
      jar(classes, jar);
    } else {
      Files.copy(classes, jar);
    }
    String dependencies =
        dependency.isEmpty() ? "" : "<dependencies>" + coordinates("dependency", dependency);
    Files.writeString(
        to.resolve(name + "-" + VERSION + ".pom"),
        "<project><modelVersion>4.0.0</modelVersion><groupId>io.everheap</groupId><artifactId>"
            + name
            + "</artifactId><version>"
            + VERSION
            + "</version><packaging>"
            + packaging
            + "</packaging>"
            + dependencies
            + (dependency.isEmpty() ? "" : "</dependency></dependencies>")
            + "</project>");
  }

  private static String coordinates(String element, String name) {
    return "<"
        + element
        + "><groupId>io.everheap</groupId><artifactId>"
        + name
        + "</artifactId><version>"
        + VERSION
        + "</version>";
  }

  private static void jar(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      for (Path each : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(
            new JarEntry(
                classes
                    .relativize(each)
                    .toString()
                    .replace(each.getFileSystem().getSeparator(), "/")));
        Files.copy(each, out);
        out.closeEntry();
      }
    }
  }

  /** The plug-in comes before the compiler, whose version alone is given. */
  private static String pom() {
    return "<project><modelVersion>4.0.0</modelVersion><groupId>bank</groupId>"
        + "<artifactId>bank</artifactId><version>1</version>"
        + "<properties><maven.compiler.release>25</maven.compiler.release>"
        + "<project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties>"
        + "<dependencies>"
        + coordinates("dependency", "everheap")
        + "</dependency></dependencies><build><pluginManagement><plugins>"
        + managed("maven-compiler-plugin")
        + managed("maven-resources-plugin")
        + "</plugins></pluginManagement><plugins>"
        + coordinates("plugin", "everheap-maven-plugin")
        + "<executions><execution><goals><goal>weave</goal><goal>weave-tests</goal></goals>"
        + "</execution></executions></plugin></plugins></build></project>";
  }

  private static String managed(String plugin) {
    String version = System.getProperty(plugin + ".version");
    return "<plugin><artifactId>"
        + plugin
        + "</artifactId><version>"
        + version
        + "</version></plugin>";
  }

  private void write(String file, String text) throws IOException {
    Path at = project.resolve(file);
    Files.createDirectories(at.getParent());
    Files.writeString(at, text);
  }

  private void maven(String phase) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(
                MAVEN.toString(),
                "-B",
                "-o",
                "-Dmaven.repo.local=" + directory.resolve("repository"),
                phase)
            .directory(project.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("MAVEN_OPTS");
    int exit = builder.start().waitFor();
    assertThat(exit).as(Files.readString(output)).isZero();
  }

  @SuppressWarnings("unchecked")
  private String run(String name) throws Exception {
    List<URL> classPath = new ArrayList<>();
    for (String each : List.of("target/classes/", "target/test-classes/")) {
      Path classes = project.resolve(each);
      if (Files.exists(classes)) {
        classPath.add(classes.toUri().toURL());
      }
    }
    try (URLClassLoader loader =
            new URLClassLoader(classPath.toArray(URL[]::new), getClass().getClassLoader());
        Heap heap = Heap.inMemory()) {
      Class<?> type = loader.loadClass("bank." + name);
      return ((Function<Heap, String>) type.getConstructor().newInstance()).apply(heap);
    }
  }

  @Test
  void compilingAloneWeavesClassesAndThenTests() throws Exception {
    maven("compile");
    assertThat(run("Run")).isEqualTo("4");
    maven("test-compile");
    assertThat(run("RunSavings")).isEqualTo("3 3.0");
  }
}
