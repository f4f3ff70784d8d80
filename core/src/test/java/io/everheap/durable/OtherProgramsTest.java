package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Durable interfaces work wherever they are compiled and loaded. */
@Processes
class OtherProgramsTest {
  private static final String ACCOUNT =
      "@Durable public interface Account {"
          + " long balance(); void balance(long value);"
          + " default void deposit(long n) { balance(balance() + n); } }";

  @TempDir private Path directory;

  private static String library() {
    return Path.of(Heap.class.getProtectionDomain().getCodeSource().getLocation().getPath())
        .toString();
  }

  @Test
  void inJShell() throws Exception {
    Path script =
        Files.write(
            directory.resolve("script"),
            List.of(
                "import io.everheap.Heap;",
                "import io.everheap.durable.Durable;",
                ACCOUNT,
                "Heap heap = Heap.inMemory();",
                "Account account = heap.object(\"account\", Account.class, a -> a.balance(5));",
                "account.deposit(2);",
                "System.out.println(heap.object(\"account\", Account.class).balance());",
                "/exit"));
    String output = run("jshell", "-s", "--class-path", library(), script.toString());
    assertThat(output.lines()).last().isEqualTo("7"); // on a new machine jshell logs something
  }

  /** A module that opens nothing; it gives its lookup to the heap. */
  @Test
  void inANamedModule() throws Exception {
    Path source = Files.createDirectories(directory.resolve("source/shop"));
    Path module =
        Files.writeString(
            source.resolveSibling("module-info.java"), "module shop { requires io.everheap; }");
    Path program =
        Files.writeString(
            source.resolve("Main.java"),
            "package shop; import io.everheap.Heap; import io.everheap.durable.Durable;"
                + " import java.lang.invoke.MethodHandles; import java.nio.file.Path;"
                + " public class Main { "
                + ACCOUNT.replace("public interface", "interface")
                + " public static void main(String[] args) {"
                + " try (Heap heap = Heap.builder(Path.of(args[0]))"
                + "     .lookup(MethodHandles.lookup()).open()) {"
                + "   Account account = heap.object(\"account\", Account.class);"
                + "   account.deposit(7);"
                + "   System.out.println(account.balance() + \" in \" + Main.class.getModule());"
                + " } } }");
    Path classes = directory.resolve("classes");
    int result =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-proc:none",
                "--module-path",
                library(),
                "-d",
                classes.toString(),
                module.toString(),
                program.toString());
    assertThat(result).isZero();
    assertThat(run(classes)).isEqualTo("7 in module shop");
    assertThat(run(classes)).isEqualTo("14 in module shop");
  }

  private String run(Path classes) throws IOException, InterruptedException {
    return run(
        "java",
        "--module-path",
        library() + File.pathSeparator + classes,
        "--module",
        "shop/shop.Main",
        directory.resolve("heap").toString());
  }

  /** What a program of the JDK prints. */
  private String run(String tool, String... arguments) throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    List<String> command = new ArrayList<>(List.of(arguments));
    command.addFirst(Path.of(System.getProperty("java.home"), "bin", tool).toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    Limit.waitFor(process);
    return Files.readString(output).strip();
  }
}
