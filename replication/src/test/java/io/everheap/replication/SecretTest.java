package io.everheap.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.ReplicationException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file with the secret of a primary and its replicas. */
class SecretTest {
  @TempDir Path dir;

  @Test
  void aPrimaryMakesAFileForItsOwnerAlone() throws IOException {
    Path file = dir.resolve("secret");
    try (Log log = new Log(Secret.class)) {
      byte[] made = Secret.of(file, true).bytes();
      assertThat(made).hasSize(32).isNotEqualTo(new byte[32]);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(Secret.of(file, true).bytes()).isEqualTo(made);
      assertThat(Secret.of(file, false).bytes()).isEqualTo(made);
      assertThat(log.lines).singleElement().asString().contains("made the secret");
    }
    assertThat(Secret.of(dir.resolve("another"), true).bytes())
        .isNotEqualTo(Secret.of(file, false).bytes());
  }

  @ParameterizedTest
  @ValueSource(strings = {"rw-r--r--", "rw----r--", "rw-rw----", "rw--w----", "rw-----w-"})
  void aSecretThatOthersCanReadOrChangeIsRefused(String mode) throws IOException {
    Path file = dir.resolve("secret");
    Files.writeString(file, "0f".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    for (boolean make : new boolean[] {false, true}) {
      assertThatThrownBy(() -> Secret.of(file, make))
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("chmod 600");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0f", "password", "0g0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f"})
  void onlyThirtyTwoBytesAreASecret(String text) throws IOException {
    Path file = dir.resolve("secret");
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    assertThatThrownBy(() -> Secret.of(file, true))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("64 hexadecimal digits")
        .hasMessageNotContaining("password");
    Files.writeString(file, "0f".repeat(32) + "\n");
    assertThat(Secret.of(file, false).bytes()).containsOnly(0x0f);
  }

  @Test
  void aReplicaMakesNone() {
    assertThatThrownBy(() -> Secret.of(dir.resolve("none"), false))
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("There is no secret in");
    assertThat(dir.resolve("none")).doesNotExist();
  }

  @Test
  void aNamedPipeIsRefused() throws Exception {
    Path pipe = dir.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start();
    assertThat(Limit.waitFor(made)).isZero();
    FutureTask<Secret> reading = new FutureTask<>(() -> Secret.of(pipe, false));
    Thread.ofPlatform().daemon().start(reading);
    assertThatThrownBy(() -> Limit.get(reading))
        .hasCauseInstanceOf(ReplicationException.class)
        .hasMessageContaining("it is a named pipe");
  }
}
