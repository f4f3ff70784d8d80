package io.everheap.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program's first opening of a closed heap leaves alone, since it takes long to set up. */
class OpeningClassesTest {
  private static final List<String> HEAVY =
      List.of(
          "java.security.SecureRandom",
          "javax.crypto.Cipher",
          "java.lang.runtime.ObjectMethods", // equals and hashCode of records
          "java.lang.invoke.StringConcatFactory",
          "sun.reflect.generics.parser.SignatureParser",
          "java.util.logging.Level",
          "java.util.stream.LongStream");

  @TempDir Path temp;

  @Test
  void anOpeningAndAFirstGetLoadNothingHeavy() throws Exception {
    run("made");
    String loaded = run("opened");
    assertThat(loaded).contains("io.everheap.engine.Engine ", "io.everheap.codec.ScalarCodec ");
    assertThat(HEAVY).noneMatch(name -> loaded.contains(" " + name + " "));
  }

  /** The classes that a process loads which opens the heap. */
  private String run(String name) throws Exception {
    Path classes = temp.resolve(name);
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + classes,
                "-cp",
                System.getProperty("java.class.path"),
                OpeningClassesTest.class.getName(),
                temp.resolve("heap").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return Files.readString(classes);
  }

  /** The process that opens the heap. */
  public static void main(String[] arguments) {
    try (Heap heap = Heap.open(Path.of(arguments[0]))) {
      var map = heap.map("m", String.class, Long.class);
      if (map.get("a") == null) {
        map.put("a", 1L);
      }
    }
  }
}
