package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.cache.DurableCache;
import io.everheap.codec.Codecs;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.store.ShardedStore;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Every command that opens files takes their key, and asks for it if they are encrypted. */
@Campaign
class KeyOfEveryCommandTest extends CheckedCommandFixture {
  /** Commands that open neither a heap, a journal, a cache, a store nor backups, or need no key. */
  private static final Set<String> WITHOUT_KEY =
      Set.of(
          "demo", // has its own heap
          "doctor", // looks at the file system
          "selftest", // has its own heap
          "shred", // destroys the key
          "replication", // asks a running primary or replica
          "journal", // has subcommands
          "cache", // has subcommands
          "help",
          "generate-completion",
          "generate-man");

  @TempDir private Path dir;
  private final List<String> wrong = new ArrayList<>();
  private String key = "";

  @BeforeEach
  void create() throws IOException {
    Path file = Files.writeString(dir.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    key = "file:" + file;
    KeyProvider provider = KeyProvider.from(key);
    try (Heap heap = Heap.builder(dir.resolve("heap")).encrypt(provider).open()) {
      heap.map("m", String.class, Long.class).put("a", 1L);
    }
    try (Journal journal = Journal.builder(dir.resolve("journal")).encrypt(provider).open()) {
      journal.append(new byte[1]);
    }
    DurableCache.builder(dir.resolve("cache"), 16 << 20, Codecs.STRING, Codecs.STRING)
        .blocks(blocks -> blocks.encrypt(provider))
        .open()
        .close();
    ShardedStore.builder(dir.resolve("store")).shards(1).encrypt(provider).open().close();
    for (String kind : List.of("heap", "journal", "store")) {
      run(0, "backup", at(kind), at(kind + "-backups"), "--key", key);
    }
  }

  private String at(String name) {
    return dir.resolve(name).toString();
  }

  @Test
  void everyCommandTakesAKeyOrNeedsNone() {
    List<String> without = new ArrayList<>();
    collect("", Main.commandLine(), without);
    assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT_KEY);
  }

  private static void collect(String prefix, CommandLine command, List<String> without) {
    command
        .getSubcommands()
        .forEach(
            (name, sub) -> {
              if (!name.equals("help") || prefix.isEmpty()) {
                if (sub.getCommandSpec().findOption("--key") == null) {
                  without.add(prefix + name);
                }
              }
              collect(prefix + name + " ", sub, without);
            });
  }

  private void requireAsked(String... arguments) {
    var output = new StringWriter();
    var writer = new PrintWriter(output, true);
    int code = Main.commandLine().setOut(writer).setErr(writer).execute(arguments);
    String line = String.join(" ", arguments);
    String text = output.toString();
    boolean isAsked = text.contains("--key") && !text.contains("Usage:");
    boolean misleads =
        text.contains("salvage DIR")
            || text.contains("save what is left")
            || text.contains("\tat ");
    if (code == 0 || !isAsked || misleads) {
      wrong.add(line + "\n" + text);
    }
  }

  @Test
  void commandsAskForTheKeyOfAHeap() throws IOException {
    String heap = at("heap");
    String csv = Files.writeString(dir.resolve("in.json"), "{}\n").toString();
    requireAsked("info", heap);
    requireAsked("list", heap);
    requireAsked("get", heap, "m", "a");
    requireAsked("dump", heap, "--root", "m");
    requireAsked("schema", heap);
    requireAsked("schema", "diff", heap, "--classpath", dir.toString());
    requireAsked("console", heap, "--no-browser");
    requireAsked("put", heap, "m", "a", "2");
    requireAsked("remove", heap, "m", "a");
    requireAsked("export", heap, "--to", at("out"));
    requireAsked("import", heap, csv);
    requireAsked("verify", heap);
    requireAsked("undecodable", heap);
    requireAsked("scrub", heap);
    requireAsked("salvage", heap, "--to", at("saved"));
    requireAsked("backup", heap, at("heap-backups"));
    requireAsked("mirror", heap, at("mirror"));
    requireAsked("promote", heap);
    requireAsked("collect", heap);
    requireAsked("compact", heap);
    requireAsked("upgrade", heap);
    requireAsked("encrypt", heap);
    requireAsked("decrypt", heap);
    requireAsked("rekey", heap);
    requireAsked("backups", at("heap-backups"));
    requireAsked("restore", at("heap-backups"), at("restored"));
    assertThat(dir.resolve("restored")).doesNotExist();
    assertThat(dir.resolve("saved")).doesNotExist();
    assertThat(wrong).isEmpty();
    run(0, "schema", heap, "--key", key);
    run(0, "verify", heap, "--key", key);
  }

  @Test
  void commandsAskForTheKeyOfAJournalACacheAndAStore() {
    String journal = at("journal");
    requireAsked("journal", "info", journal);
    requireAsked("journal", "tail", journal);
    requireAsked("journal", "verify", journal);
    requireAsked("journal", "append", journal, "--file", key.substring("file:".length()));
    requireAsked("journal", "salvage", journal, "--to", at("saved"));
    requireAsked("backup", journal, at("journal-backups"));
    requireAsked("backups", at("journal-backups"));
    requireAsked("restore", at("journal-backups"), at("restored"));
    requireAsked("cache", "info", at("cache"));
    requireAsked("cache", "keys", at("cache"));
    requireAsked("cache", "verify", at("cache"));
    String store = at("store");
    requireAsked("info", store);
    requireAsked("verify", store);
    requireAsked("backup", store, at("store-backups"));
    requireAsked("backups", at("store-backups"));
    requireAsked("restore", at("store-backups"), at("restored"));
    assertThat(wrong).isEmpty();
  }
}
