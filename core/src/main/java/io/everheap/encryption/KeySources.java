package io.everheap.encryption;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.everheap.error.EncryptionException;
import io.everheap.files.FileChecks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Reads the text of keys. Stateless. */
final class KeySources {
  /** More than any key has, so that a wrong file is noticed without being read. */
  private static final int MAX_TEXT = 1024;

  private KeySources() {}

  static byte[] file(Path file) {
    try {
      if (FileChecks.isOpenToOthers(file)) {
        throw new EncryptionException(
            "The key file "
                + file
                + " can be read or changed by others than its owner: chmod 600 it, and if"
                + " others may have read it, rekey the heap with a new key. A file of root may"
                + " have mode 0440, as container platforms mount secrets.");
      }
      if (FileChecks.isNamedPipe(file)) {
        throw new EncryptionException(
            "The key file "
                + file
                + " is a named pipe, which may wait for ever: use a file, or command:PROGRAM.");
      }
      try (InputStream in = Files.newInputStream(file)) {
        return in.readNBytes(MAX_TEXT);
      }
    } catch (IOException e) {
      throw new EncryptionException("The key file " + file + " cannot be read: " + e, e);
    }
  }

  static byte[] environment(String variable) {
    String text = System.getenv(variable);
    if (text == null) {
      throw new EncryptionException(
          "The environment variable " + variable + ", which has the key, is not set.");
    }
    return text.getBytes(US_ASCII);
  }

  static byte[] command(List<String> command, Duration patience) {
    Process process = null;
    AtomicBoolean late = new AtomicBoolean();
    try {
      process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      process.getOutputStream().close();
      Process running = process;
      Thread.ofVirtual()
          .inheritInheritableThreadLocals(false)
          .start(() -> endAfter(running, patience, late));
      byte[] text = process.getInputStream().readNBytes(MAX_TEXT);
      int result = process.waitFor();
      if (result != 0 || late.get()) { // a shell whose child was killed can go on and end well
        Arrays.fill(text, (byte) 0);
        throw refused(command, late.get() ? tooLong(patience) : "ended with " + result, null);
      }
      return text;
    } catch (IOException e) { // also where the end of a late process closed its output
      throw refused(
          command, late.get() ? tooLong(patience) : "cannot be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EncryptionException("The wait for the key command was interrupted.", e);
    } finally {
      if (process != null) {
        end(process);
      }
    }
  }

  private static String tooLong(Duration patience) {
    return "did not end within " + patience.toMillis() + " ms, and was killed";
  }

  private static EncryptionException refused(
      List<String> command, String why, @Nullable Throwable cause) {
    return new EncryptionException(
        "The key command " + command.getFirst() + " " + why + ".", cause);
  }

  private static void endAfter(Process process, Duration patience, AtomicBoolean late) {
    try {
      if (!process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        late.set(true);
        end(process);
      }
    } catch (InterruptedException e) {
      end(process);
    }
  }

  /** Ends it, and what it started, which would keep its output open. */
  private static void end(Process process) {
    end(process.toHandle());
  }

  /** First the process itself, so that it does not go on without what it started. */
  private static void end(ProcessHandle process) {
    List<ProcessHandle> started = process.descendants().toList();
    process.destroyForcibly();
    started.forEach(KeySources::end);
  }
}
