package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent weaves the classes of a program that was never woven. */
@Processes
class AgentTest {
  private static final String[] PROGRAM = {
    """
    @Durable
    public class Counter {
      private int count;
      @Atomic int next() { count++; if (count == 3) throw new IllegalStateException("3"); return count; }
    }
    """,
    """
    public class Main {
      @Durable static class Named { String name; Counter counter; }
      public static void main(String[] args) {
        try (Heap heap = Heap.open(java.nio.file.Path.of(args[0]))) {
          Named named = heap.object("named", Named.class, n -> {
            n.name = "n";
            n.counter = new Counter();
          });
          named.name += named.counter.next();
          System.out.println(named.name);
        } catch (IllegalArgumentException | IllegalStateException e) {
          System.out.println(e.getMessage());
        }
      }
    }
    """
  };

  @TempDir private Path directory;

  private static Path location(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private Path agent() throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", Agent.class.getName());
    Path jar = directory.resolve("everheap-weaver.jar");
    Path classes = location(Agent.class);
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest);
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(file).toString().replace('\\', '/');
        if (name.endsWith(".class")) {
          entries.putNextEntry(new JarEntry(name));
          entries.write(Files.readAllBytes(file));
        }
      }
    }
    return jar;
  }

  private String run(List<String> options, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(directory.resolve("classes") + java.io.File.pathSeparator + location(Heap.class));
    command.add("bank.Main");
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).describedAs(output).isZero();
    return output.strip();
  }

  private void write(Map<String, byte[]> classes) throws IOException {
    for (Map.Entry<String, byte[]> entry : classes.entrySet()) {
      Path file = directory.resolve("classes/" + entry.getKey().replace('.', '/') + ".class");
      Files.createDirectories(file.getParent());
      Files.write(file, entry.getValue());
    }
  }

  @Test
  void classesAreWovenWhenTheyAreLoaded() throws Exception {
    write(Program.compile(PROGRAM));
    String heap = directory.resolve("heap").toString();
    List<String> options = List.of("-javaagent:" + agent());
    assertThat(run(options, heap)).isEqualTo("n1");
    assertThat(run(options, heap)).isEqualTo("n12");
    assertThat(run(options, heap)).isEqualTo("3");
    assertThat(run(List.of(), heap))
        .contains("bank.Main$Named was not woven", "-javaagent:everheap-weaver.jar");
  }

  @Test
  void aClassThatCannotBeWovenIsToldAndRefused() throws Exception {
    write(
        Program.compile(PROGRAM[0].replace("@Atomic int", "@Atomic synchronized int"), PROGRAM[1]));
    assertThat(run(List.of("-javaagent:" + agent()), directory.resolve("heap").toString()))
        .contains("cannot weave bank.Counter", "synchronized", "bank.Counter was not woven");
  }
}
