package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What docs/objects.md shows compiles and does what it says. */
class ObjectsDocumentTest {
  private static final Pattern BLOCK = Pattern.compile("(?s)```java\n(.*?)```");

  private static List<String> blocks() throws IOException {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/objects.md"))) {
      at = at.getParent();
    }
    List<String> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(Files.readString(at.resolve("docs/objects.md")));
    while (block.find()) {
      blocks.add(block.group(1));
    }
    return blocks;
  }

  @Test
  void itsExamplesRun() throws IOException {
    List<String> blocks = blocks();
    assertThat(blocks).hasSize(2);
    Program program =
        Program.woven(
            blocks.get(0),
            "public class Main { static void run(Heap heap) { " + blocks.get(1) + " } }");
    try (Heap heap = Heap.inMemory()) {
      program.call("Main", "run", heap);
      var accounts = heap.map("accounts", String.class, program.type("Account"));
      Object alice = accounts.get("alice");
      assertThat(Program.on(alice, "balance")).isEqualTo(-10L);
      assertThat(Program.on(accounts.get("bob"), "balance")).isEqualTo(10L);
      assertThatThrownBy(() -> Program.on(alice, "transferTo", accounts.get("bob"), 91L))
          .hasMessage("overdrawn: account of Alice");
      assertThat(Program.on(alice, "balance")).isEqualTo(-10L);
    }
  }

  @Test
  void itTellsThePluginAsTheLibraryDoes() {
    Program program = Program.plain("@Durable public class Point { int x; }");
    try (Heap heap = Heap.inMemory()) {
      assertThatThrownBy(() -> heap.create(program.type("Point")))
          .hasMessageContaining("everheap-maven-plugin")
          .hasMessageContaining("<goal>weave-tests</goal>");
    }
  }
}
