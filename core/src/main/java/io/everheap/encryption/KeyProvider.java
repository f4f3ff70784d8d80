package io.everheap.encryption;

import io.everheap.stability.Stable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Wraps and unwraps the data key of a heap, with a key that stays outside of the heap. A heap has
 * one random data key, which encrypts its files; beside them is only the wrapped data key.
 *
 * <p>The factories of this interface give providers that hold an AES-256 key themselves. Implement
 * it to leave the wrapping to a key management service: then the wrapping key never reaches this
 * process. Called when a heap is created, opened or rekeyed, not while it is open; what it wrapped
 * is unwrapped once before it is kept.
 *
 * @since 0.9
 */
@Stable
public interface KeyProvider {
  /** Maximum size of a wrapped key in bytes. */
  int MAX_WRAPPED = 4096;

  /**
   * Encrypts a data key, so that only {@link #unwrap} with the same context gives it back.
   *
   * @param dataKey 32 bytes; the caller erases them afterwards
   * @param context bytes to authenticate with the key: which heap it belongs to
   * @return at most {@value #MAX_WRAPPED} bytes
   * @throws io.everheap.error.EncryptionException if the wrapping key is not to be had
   */
  byte[] wrap(byte[] dataKey, byte[] context);

  /**
   * Decrypts what {@link #wrap} returned.
   *
   * @param wrapped the encrypted data key, as it was found; it may be damaged or forged
   * @param context of the heap
   * @return the data key, which the caller erases after use
   * @throws io.everheap.error.EncryptionException if the wrapping key is another one or is not to
   *     be had, or if the bytes or the context were changed
   */
  byte[] unwrap(byte[] wrapped, byte[] context);

  /**
   * A key in a file: 64 hexadecimal digits, with or without a line end. On a file system with POSIX
   * permissions the file must be closed to everybody but its owner. Only a file of root may be
   * readable for its group, as container platforms mount secrets (mode 0440).
   *
   * @param file read each time that the key is needed
   * @return a provider
   */
  static KeyProvider file(Path file) {
    return new WrappingKey(new KeyText("the key file " + file, () -> KeySources.file(file)));
  }

  /**
   * A key in an environment variable: 64 hexadecimal digits.
   *
   * @param variable its name
   * @return a provider
   */
  static KeyProvider environment(String variable) {
    return new WrappingKey(
        new KeyText(
            "the environment variable " + variable, () -> KeySources.environment(variable)));
  }

  /**
   * A key that a command prints: 64 hexadecimal digits. The command is run each time that the key
   * is needed, without a shell, and has 60 seconds.
   *
   * @param command the program and its arguments
   * @return a provider
   */
  static KeyProvider command(List<String> command) {
    List<String> copy = List.copyOf(command);
    return new WrappingKey(
        new KeyText(
            "the key command " + copy.getFirst(),
            () -> KeySources.command(copy, Duration.ofSeconds(60))));
  }

  /**
   * A key from where a text says, as configurations and options of commands do.
   *
   * @param source {@code file:PATH}, {@code env:VARIABLE} or {@code command:PROGRAM}
   * @return the provider that {@link #file}, {@link #environment} or {@link #command} gives
   * @throws IllegalArgumentException if it is none of these
   */
  static KeyProvider from(String source) {
    int colon = source.indexOf(':');
    String rest = source.substring(colon + 1);
    return switch (source.substring(0, Math.max(0, colon))) {
      case "file" -> file(Path.of(rest));
      case "env" -> environment(rest);
      case "command" -> command(List.of(rest));
      default ->
          throw new IllegalArgumentException(
              "a key comes from file:PATH, env:VARIABLE or command:PROGRAM; it is never an argument"
                  + " itself, which other users could see");
    };
  }

  /**
   * A key that the program has.
   *
   * @param key 32 bytes, which are copied
   * @return a provider
   * @throws IllegalArgumentException if it has another length
   */
  static KeyProvider of(byte[] key) {
    if (key.length != WrappingKey.BYTES) {
      throw new IllegalArgumentException("a key has 32 bytes, not " + key.length);
    }
    byte[] copy = key.clone();
    return new WrappingKey(copy::clone);
  }
}
