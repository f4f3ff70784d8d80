package io.everheap.cli;

import io.everheap.HeapBuilder;
import io.everheap.encryption.KeyProvider;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that say where the key of an encrypted heap comes from. */
final class KeyOptions {
  @ArgGroup(exclusive = true)
  private @Nullable Source source;

  /** One of the places. */
  private static final class Source {
    @Option(
        names = "--key-file",
        paramLabel = "FILE",
        description = "The file with the key of an encrypted heap: 64 hexadecimal digits.")
    private @Nullable Path file;

    @Option(
        names = "--key-env",
        paramLabel = "NAME",
        description = "The environment variable with the key of an encrypted heap.")
    private @Nullable String variable;

    @Option(
        names = "--key-command",
        paramLabel = "PROGRAM",
        description = "The program that prints the key of an encrypted heap.")
    private @Nullable String program;
  }

  /** The provider of the key; null if no option was given. */
  @Nullable KeyProvider provider() {
    Source from = source;
    if (from == null) {
      return null;
    }
    if (from.file != null) {
      return KeyProvider.file(from.file);
    }
    if (from.variable != null) {
      return KeyProvider.environment(from.variable);
    }
    return from.program == null ? null : KeyProvider.command(List.of(from.program));
  }

  /** Sets the key, if there is one; returns the builder. */
  HeapBuilder apply(HeapBuilder builder) {
    KeyProvider provider = provider();
    return provider == null ? builder : builder.encrypt(provider);
  }
}
