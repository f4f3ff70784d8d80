package io.everheap.cli;

import io.everheap.encryption.KeyProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of commands that read a cache. */
final class CacheArguments {
  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the cache, or one of its directories.")
  private Path directory;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Mixin private KeyOptions keys;

  Path directory() {
    return directory;
  }

  boolean json() {
    return json;
  }

  /** The provider of the key; null if none was given. */
  @Nullable KeyProvider key() {
    return keys.provider();
  }
}
