package io.everheap.cli;

import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of commands that read a journal. */
final class JournalArguments {
  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the journal.")
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

  /** Where the key comes from; null if no option was given. */
  @Nullable KeyProvider key() {
    return keys.provider();
  }

  /** Opens the journal without changing a byte of it. */
  Journal open() {
    return keys.journal(directory).readOnly().open();
  }
}
