package io.everheap.cli;

import io.everheap.EncryptedDirectory;
import io.everheap.HeapKeys;
import io.everheap.encryption.KeyProvider;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap rekey DIR}: wraps the key of an encrypted heap with another one. */
@Command(
    name = "rekey",
    description = {
      "Replaces the key of what is encrypted: a heap, journal, store, cache or backups. It must not"
          + " be open; of backups, the archives are included. The data key is wrapped anew, so this"
          + " takes no time, and the old key opens nothing any more except older copies of the file"
          + " \"keys\".",
      "Backups, archives and replicas of a heap keep their keys: give each of their directories to"
          + " this command. If it is interrupted in a directory of backups, repeat it.",
      "With --data the data key is replaced as well: all files are encrypted anew beside the old"
          + " ones, which needs as much space again, and exchanged for them. If that is interrupted,"
          + " the next command or program that opens the heap for writing completes or undoes it."
    })
final class RekeyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "DIR",
      description = "The directory of the heap, journal, store or cache, or of backups.")
  private Path directory;

  @Mixin private KeyOptions old;

  @Option(
      names = "--new-key",
      paramLabel = "SOURCE",
      description = "Where the new key comes from; like --key. With --data, the same as --key.")
  private @Nullable String fresh;

  @Option(names = "--data", description = "Replace the data key too.")
  private boolean data;

  @Override
  public Integer call() {
    KeyProvider present = old.required();
    String source = fresh;
    if (source == null && !data) {
      throw new RefusedException("give the new key: --new-key SOURCE, or a new data key: --data");
    }
    KeyProvider next = source == null ? present : KeyOptions.provider(source);
    if (data) {
      Bar.during(spec, bar -> HeapKeys.renew(directory, present, next, bar::update));
      spec.commandLine().getOut().println("The heap " + directory + " has a new data key.");
    } else {
      EncryptedDirectory.rekey(directory, present, next);
    }
    PrintWriter out = spec.commandLine().getOut();
    if (source != null) {
      out.println("The key of " + directory + " is now that of " + source);
    }
    for (String line : left()) {
      out.println(line);
    }
    return ExitCode.OK;
  }

  /** Says what keeps its key, and how it is changed. */
  private List<String> left() {
    String rekey = "everheap rekey DIR --key OLD --new-key NEW, with the directory of the ";
    if (has("heap")) {
      return List.of(
          "Backups, archives and replicas of the heap keep their keys. To change them:",
          "  " + rekey + "backups, which has the archives",
          "  " + rekey + "replica or mirror, while it is closed");
    }
    if (has("journal")) {
      return List.of(
          "Backups and replicas of the journal keep their keys. To change them:",
          "  " + rekey + "backups",
          "  " + rekey + "replica, while it is closed");
    }
    if (has("store")) {
      return List.of(
          "Backups of the store keep their keys. To change them:", "  " + rekey + "backups");
    }
    return List.of();
  }

  private boolean has(String file) {
    return Files.exists(directory.resolve(file));
  }
}
