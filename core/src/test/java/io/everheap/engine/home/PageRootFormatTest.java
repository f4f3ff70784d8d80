package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.Medium;
import io.everheap.memory.MemoryMedium;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class PageRootFormatTest {
  private static final String HIGH = "1265a4a1c43f288c";
  private static final String LOW = "1ff0f4ca38b4220f";

  /** Three entries, in any order and with one that was replaced, under a key that is known. */
  @Test
  void itsSlotIsThatOfTheDocument() {
    byte[] key =
        HexFormat.of().parseHex("bf455a6b8d4dd38119db3fea0428287f53aae4e7ec1be7e1b38046931ce73c52");
    MemoryMedium memory = new MemoryMedium();
    Medium medium =
        (Medium)
            Proxy.newProxyInstance(
                Medium.class.getClassLoader(),
                new Class<?>[] {Medium.class},
                (proxy, method, arguments) ->
                    method.getName().equals("derivedKey")
                        ? key.clone()
                        : method.invoke(memory, arguments));
    ChecksumTable table = new ChecksumTable(medium.create(ChecksumLayout.NAME));
    table.keep(PageRoot.create(medium));
    table.put(700, -1);
    table.put(2, 77);
    table.put(9, 0x1122334455667788L);
    table.put(2, 1);
    table.flush();
    byte[] slot = new byte[32];
    PageRoot root = java.util.Objects.requireNonNull(table.root());
    root.write(medium, table, 4242 * 16, 1000).read(ByteBuffer.wrap(slot), 0);
    String expected = "45564850524f4f54" + "2009010000000000" + HIGH + LOW;
    assertThat(HexFormat.of().formatHex(slot)).isEqualTo(expected);
    assertThat(root.isOf(medium, table)).isTrue();
    table.put(9, 5);
    table.flush();
    assertThat(root.isOf(medium, table)).as("as it is kept up to date").isTrue();
  }

  @Test
  void theDocumentHasThisVector() throws Exception {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.exists(at.resolve("docs/format.md"))) {
      at = at.getParent();
    }
    assertThat(Files.readString(at.resolve("docs/format.md"))).contains(HIGH + " " + LOW);
  }
}
