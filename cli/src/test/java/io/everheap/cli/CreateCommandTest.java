package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code create} and {@code generate-completion}. */
class CreateCommandTest {
  private static final FileAttribute<?> OWNER_ONLY =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
  private static final FileAttribute<?> EXECUTABLE =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;

  @Test
  void createMakesAnEmptyHeapAndNeverOverwrites() throws IOException {
    String heap = temporary.resolve("shop").toString();
    assertThat(run("create", heap)).as(err.toString()).isZero();
    assertThat(out.toString()).startsWith("Created the heap ");
    try (Heap open = Heap.builder(Path.of(heap)).readOnly().open()) {
      assertThat(open.names()).isEmpty();
    }
    assertThat(run("create", heap)).isEqualTo(1);
    assertThat(err.toString().lines()).singleElement().asString().contains("nothing was changed");

    Path file = Files.writeString(temporary.resolve("file"), "holidays");
    assertThat(run("create", file.toString())).isEqualTo(1);
    assertThat(file).hasContent("holidays");
    assertThat(run("create", "--json", Files.createDirectory(temporary.resolve("new")).toString()))
        .isZero();
    assertThat(out.toString()).contains("\"id\"");
  }

  @Test
  void aNewVolumeHasLostAndFoundAndNothingElse() throws IOException {
    Path volume = temporary.resolve("volume");
    Files.createDirectories(volume.resolve("lost+found"));
    assertThat(run("create", volume.toString())).as(err.toString()).isZero();
    Files.createDirectories(temporary.resolve("used/lost+found"));
    Files.createFile(temporary.resolve("used/other"));
    assertThat(run("create", temporary.resolve("used").toString())).isEqualTo(1);
  }

  @Test
  void anEncryptedHeapNeedsItsKey() throws IOException {
    String heap = temporary.resolve("safe").toString();
    Path key = temporary.resolve("key");
    Path fresh = temporary.resolve("fresh");
    Files.createFile(key, OWNER_ONLY);
    Files.createFile(fresh, OWNER_ONLY);
    Files.writeString(key, "0123456789abcdef".repeat(4));
    Files.writeString(fresh, "fedcba9876543210".repeat(4));
    assertThat(run("create", heap, "--encrypt")).isEqualTo(1);
    assertThat(run("create", heap, "--key", "file:" + key)).isEqualTo(1);
    assertThat(temporary.resolve("safe")).doesNotExist();

    assertThat(run("create", heap, "--encrypt", "--key", "file:" + key)).as("" + err).isZero();
    assertThat(run("info", heap)).isEqualTo(1);
    assertThat(err.toString()).contains("is encrypted").contains("EH-ENCRYPTION");
    assertThat(run("info", heap, "--key", "0123456789abcdef".repeat(4))).isEqualTo(1);
    assertThat(run("verify", heap, "--key", "file:" + key)).as("" + err).isZero();

    assertThat(run("rekey", heap, "--key", "file:" + key, "--new-key", "file:" + fresh)).isZero();
    assertThat(run("info", heap, "--key", "file:" + key)).isEqualTo(1);
    assertThat(run("info", heap, "--key", "command:" + program(fresh))).as("" + err).isZero();
    assertThat(run("shred", heap)).isEqualTo(1);
    assertThat(run("shred", heap, "--yes")).isZero();
    assertThat(run("info", heap, "--key", "file:" + fresh)).isEqualTo(1);
    assertThat("" + out + err).doesNotContain("0123456789abcdef").doesNotContain("fedcba98");
  }

  /** A refused key leaves nothing behind, so that the same command succeeds with the right one. */
  @Test
  void aRefusedKeyLeavesNothingBehind() throws IOException {
    String heap = temporary.resolve("safe").toString();
    Path key = temporary.resolve("key");
    for (String bad : new String[] {"file:" + key, "env:EVERHEAP_NONE", "command:/none/program"}) {
      assertThat(run("create", heap, "--encrypt", "--key", bad)).as(bad).isEqualTo(1);
      assertThat(temporary.resolve("safe")).as(bad).doesNotExist();
    }
    Files.writeString(key, "0123456789abcdef".repeat(4));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(run("create", heap, "--encrypt", "--key", "file:" + key)).isEqualTo(1);
    assertThat(temporary.resolve("safe")).doesNotExist();
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    assertThat(run("create", heap, "--encrypt", "--key", "file:" + key)).as("" + err).isZero();
  }

  @Test
  void aHeapIsEncryptedAndDecryptedWhereItIs() throws IOException {
    String heap = temporary.resolve("shop").toString();
    Path key = Files.createFile(temporary.resolve("key"), OWNER_ONLY);
    Path fresh = Files.createFile(temporary.resolve("fresh"), OWNER_ONLY);
    Files.writeString(key, "0123456789abcdef".repeat(4));
    Files.writeString(fresh, "fedcba9876543210".repeat(4));
    assertThat(run("create", heap)).isZero();
    assertThat(run("encrypt", heap)).isEqualTo(1);
    assertThat(err.toString()).contains("give the key");
    assertThat(run("encrypt", heap, "--key", "file:" + key)).as("" + err).isZero();
    assertThat(run("info", heap)).isEqualTo(1);
    assertThat(run("encrypt", heap, "--key", "file:" + key)).isEqualTo(1);
    assertThat(run("rekey", heap, "--key", "file:" + key)).isEqualTo(1);
    assertThat(run("rekey", heap, "--key", "file:" + key, "--data")).as("" + err).isZero();
    assertThat(run("verify", heap, "--key", "file:" + key)).as("" + err).isZero();
    String[] both = {"rekey", heap, "--key", "file:" + key, "--data", "--new-key", "file:" + fresh};
    assertThat(run(both)).as("" + err).isZero();
    assertThat(run("decrypt", heap, "--key", "file:" + key)).isEqualTo(1);
    assertThat(run("decrypt", heap, "--key", "file:" + fresh)).as("" + err).isZero();
    assertThat(run("verify", heap)).as("" + err).isZero();
    assertThat("" + out + err).doesNotContain("0123456789abcdef").doesNotContain("fedcba98");
  }

  private Path program(Path key) throws IOException {
    Path program = Files.createFile(temporary.resolve("program"), EXECUTABLE);
    return Files.writeString(program, "#!/bin/sh\ncat '" + key + "'\n");
  }

  @Test
  void theCompletionKnowsEveryCommandAndOption() {
    assertThat(run("generate-completion")).isZero();
    requireAll(Main.commandLine());
  }

  private void requireAll(CommandLine command) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              assertThat(out.toString()).containsPattern("commands=\"([^\"]* )?" + name + "[ \"]");
              sub.getCommandSpec().options().stream()
                  .filter(option -> !option.hidden())
                  .forEach(option -> assertThat(out.toString()).contains(option.longestName()));
              requireAll(sub);
            });
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
