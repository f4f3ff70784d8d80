package io.everheap.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EncryptionException;
import io.everheap.files.FileChecks;
import io.everheap.support.KeyBytes;
import io.everheap.support.Limit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where keys come from. */
class KeyProviderTest {
  private static final String DIGITS = "07".repeat(32);
  private static final byte[] DATA_KEY = new byte[32];
  private static final byte[] CONTEXT = new byte[32];

  @TempDir private Path temp;
  private Path file;

  @BeforeEach
  void makeKey() throws IOException {
    file = temp.resolve("key");
    write(DIGITS + "\n");
  }

  private void write(String text) throws IOException {
    Files.write(file, text.getBytes(US_ASCII));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static void requireSame(KeyProvider provider, KeyProvider expected) {
    byte[] wrapped = provider.wrap(DATA_KEY, CONTEXT);
    assertThat(expected.unwrap(wrapped, CONTEXT)).isEqualTo(DATA_KEY);
    assertThat(provider.unwrap(expected.wrap(DATA_KEY, CONTEXT), CONTEXT)).isEqualTo(DATA_KEY);
    assertThatThrownBy(() -> KeyProvider.of(KeyBytes.of(8)).unwrap(wrapped, CONTEXT))
        .isInstanceOf(EncryptionException.class);
  }

  @Test
  void aKeyOfTheProgramIsCopied() {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) 7);
    KeyProvider provider = KeyProvider.of(bytes);
    Arrays.fill(bytes, (byte) 8);
    requireSame(provider, KeyProvider.of(KeyBytes.of(7)));
    requireSame(provider, KeyProvider.of(KeyBytes.of(7))); // it is not erased by its first use
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 16, 31, 33, 64})
  void aKeyOfTheProgramHas32Bytes(int length) {
    assertThatThrownBy(() -> KeyProvider.of(new byte[length]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a key has 32 bytes, not " + length);
  }

  @Test
  void aFileIsReadEachTime() throws IOException {
    KeyProvider provider = KeyProvider.file(file);
    requireSame(provider, KeyProvider.of(KeyBytes.of(7)));
    byte[] wrapped = provider.wrap(DATA_KEY, CONTEXT);
    write("09".repeat(32));
    assertThatThrownBy(() -> provider.unwrap(wrapped, CONTEXT))
        .isInstanceOf(EncryptionException.class);
    requireSame(provider, KeyProvider.of(KeyBytes.of(9)));
    Files.delete(file);
    assertThatThrownBy(() -> provider.wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The key file " + file + " cannot be read");
  }

  @ParameterizedTest
  @EnumSource(PosixFilePermission.class)
  void aFileMustBeClosedToOthers(PosixFilePermission permission) throws IOException {
    Set<PosixFilePermission> permissions = EnumSet.of(PosixFilePermission.OWNER_READ, permission);
    Files.setPosixFilePermissions(file, permissions);
    String name = permission.name();
    KeyProvider provider = KeyProvider.file(file);
    boolean isOfRoot = Files.getAttribute(file, "unix:uid").equals(0);
    if (name.startsWith("OWNER")
        || name.endsWith("EXECUTE")
        || (permission == PosixFilePermission.GROUP_READ && isOfRoot)) {
      requireSame(provider, KeyProvider.of(KeyBytes.of(7)));
    } else {
      assertThatThrownBy(() -> provider.wrap(DATA_KEY, CONTEXT))
          .isInstanceOf(EncryptionException.class)
          .hasMessageContaining(file + " can be read or changed by others than its owner")
          .hasMessageContaining("chmod 600");
    }
  }

  @Test
  void aTextThatIsNoKeyNamesItsFile() throws IOException {
    write("x".repeat(5000));
    assertThatThrownBy(() -> KeyProvider.file(file).wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("In the key file " + file + " is no key");
  }

  /** Only the start of a file is read: a key with white space behind it is found there. */
  @Test
  void aLargeFileIsNotRead() throws IOException {
    write(DIGITS + " ".repeat(1024 - 64));
    requireSame(KeyProvider.file(file), KeyProvider.of(KeyBytes.of(7)));
    write(DIGITS + " ".repeat(100_000) + "x");
    assertThat(KeySources.file(file)).hasSize(1024);
  }

  @Test
  void aVariableThatIsNotSetIsNamed() {
    assertThatThrownBy(
            () -> KeyProvider.environment("EVERHEAP_NO_SUCH_KEY").wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The environment variable EVERHEAP_NO_SUCH_KEY, which has the key");
    assertThatThrownBy(() -> KeyProvider.environment("PATH").wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("In the environment variable PATH is no key");
  }

  @Test
  void aCommandPrintsAKey() {
    requireSame(
        KeyProvider.command(List.of("cat", file.toString())), KeyProvider.of(KeyBytes.of(7)));
    assertThatThrownBy(() -> KeyProvider.command(List.of("false")).wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The key command false ended with 1.");
    List<String> prints = List.of("sh", "-c", "cat " + file + "; exit 3");
    assertThatThrownBy(() -> KeyProvider.command(prints).wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The key command sh ended with 3.");
    assertThatThrownBy(() -> KeyProvider.command(List.of("/no/such")).wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("The key command /no/such cannot be run");
    assertThatThrownBy(() -> KeyProvider.command(List.of("echo", "0a0b")).wrap(DATA_KEY, CONTEXT))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("In the key command echo is no key");
  }

  @Test
  void aTextNamesTheSource() throws IOException {
    requireSame(KeyProvider.from("file:" + file), KeyProvider.of(KeyBytes.of(7)));
    Path script = temp.resolve("print");
    Files.writeString(script, "#!/bin/sh\necho " + DIGITS + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    requireSame(KeyProvider.from("command:" + script), KeyProvider.of(KeyBytes.of(7)));
    assertThatThrownBy(() -> KeyProvider.from("env:EVERHEAP_NO_SUCH_KEY").wrap(DATA_KEY, CONTEXT))
        .hasMessageContaining("EVERHEAP_NO_SUCH_KEY");
    for (String wrong : List.of("", ":", "file", DIGITS, "File:x", "key:x", " file:x", ":x")) {
      assertThatThrownBy(() -> KeyProvider.from(wrong))
          .as(wrong)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("file:PATH, env:VARIABLE or command:PROGRAM")
          .message()
          .doesNotContain(DIGITS);
    }
  }

  @Test
  void aNamedPipeIsRefusedAndAPipeOfTheShellIsRead() throws Exception {
    Path pipe = temp.resolve("pipe");
    Process made = new ProcessBuilder("mkfifo", "-m", "600", pipe.toString()).start();
    assertThat(Limit.waitFor(made)).isZero();
    FutureTask<byte[]> reading = new FutureTask<>(() -> KeySources.file(pipe));
    Thread.ofPlatform().daemon().start(reading);
    assertThatThrownBy(() -> Limit.get(reading))
        .hasCauseInstanceOf(EncryptionException.class)
        .hasMessageContaining(pipe + " is a named pipe");

    Process shell = new ProcessBuilder("cat").start();
    try (OutputStream out = shell.getOutputStream()) {
      Path fd = Path.of("/proc", Long.toString(shell.pid()), "fd", "0");
      out.write(DIGITS.getBytes(US_ASCII));
      assertThat(FileChecks.isNamedPipe(fd)).isFalse();
    }
    assertThat(Limit.waitFor(shell)).isZero();
  }
}
