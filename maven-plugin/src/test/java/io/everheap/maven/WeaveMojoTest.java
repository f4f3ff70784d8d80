package io.everheap.maven;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.spi.ToolProvider;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goals weave what a compiler wrote. */
class WeaveMojoTest {
  private static final String LIBRARY =
      Path.of(Heap.class.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();

  @TempDir private Path project;
  private Path main;
  private Path tests;

  @BeforeEach
  void compile() throws IOException {
    main = project.resolve("classes");
    tests = project.resolve("test-classes");
    javac(
        main,
        List.of(LIBRARY),
        "Account",
        "package bank; import io.everheap.durable.*;"
            + "@Durable public class Account { public long balance;"
            + " @Atomic public void deposit(long n) { balance += n; } }");
    javac(
        tests,
        List.of(LIBRARY, main.toString()),
        "Run",
        "package bank; import io.everheap.Heap; import io.everheap.durable.*;"
            + "public class Run implements java.util.function.Function<Heap, String> {"
            + "  @Durable static class Savings extends Account { double rate = 1.5; }"
            + "  public String apply(Heap heap) {"
            + "    Savings s = heap.create(Savings.class);"
            + "    s.deposit(3); s.balance++; s.rate *= 2;"
            + "    return s.balance + \" \" + s.rate; } }");
  }

  private void javac(Path out, List<String> classPath, String name, String source)
      throws IOException {
    Path file = Files.createDirectories(project.resolve("src")).resolve(name + ".java");
    Files.writeString(file, source);
    List<String> arguments =
        new ArrayList<>(
            List.of("-proc:none", "-cp", String.join(java.io.File.pathSeparator, classPath)));
    arguments.addAll(List.of("-d", out.toString(), file.toString()));
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    assertThat(javac.run(System.out, System.err, arguments.toArray(String[]::new))).isZero();
  }

  private void weave() throws Exception {
    WeaveMojo goal = new WeaveMojo();
    goal.directory = main.toFile();
    goal.classPath = List.of(main.toString(), LIBRARY);
    goal.execute();
  }

  private void weaveTests() throws Exception {
    WeaveTestsMojo goal = new WeaveTestsMojo();
    goal.directory = tests.toFile();
    goal.classPath = List.of(tests.toString(), main.toString(), LIBRARY);
    goal.execute();
  }

  @SuppressWarnings("unchecked")
  private String run() throws Exception {
    URL[] classPath = {main.toUri().toURL(), tests.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(classPath, getClass().getClassLoader());
        Heap heap = Heap.inMemory()) {
      Class<?> type = loader.loadClass("bank.Run");
      return ((Function<Heap, String>) type.getConstructor().newInstance()).apply(heap);
    }
  }

  @Test
  void classesAndTestsAreWoven() throws Exception {
    weave();
    weaveTests();
    assertThat(run()).isEqualTo("4 3.0");
  }

  @Test
  void theGoalsMayRunAgain() throws Exception {
    weave();
    weaveTests();
    byte[] once = Files.readAllBytes(main.resolve("bank/Account.class"));
    weave();
    weaveTests();
    assertThat(Files.readAllBytes(main.resolve("bank/Account.class"))).isEqualTo(once);
    assertThat(run()).isEqualTo("4 3.0");
  }

  @Test
  void aForgottenGoalIsNoticed() throws Exception {
    weave();
    assertThatThrownBy(this::run).hasMessageContaining("bank.Run$Savings was not woven");
  }

  @Test
  void aClassThatCannotBeWovenFailsTheBuildAndChangesNothing() throws Exception {
    javac(
        main,
        List.of(LIBRARY),
        "Bad",
        "package bank; import io.everheap.durable.*;"
            + "@Durable public class Bad extends Thread { int x; }");
    byte[] before = Files.readAllBytes(main.resolve("bank/Account.class"));
    assertThatThrownBy(this::weave)
        .isInstanceOf(MojoFailureException.class)
        .hasMessageContaining("bank.Bad: it extends java.lang.Thread");
    assertThat(Files.readAllBytes(main.resolve("bank/Account.class"))).isEqualTo(before);
  }

  @Test
  void aProjectWithoutClassesIsFine() throws Exception {
    WeaveMojo goal = new WeaveMojo();
    goal.directory = project.resolve("none").toFile();
    goal.execute();
    assertThat(project.resolve("none")).doesNotExist();
  }
}
