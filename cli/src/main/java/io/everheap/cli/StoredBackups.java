package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.report.Backup;
import io.everheap.store.ShardedStore;
import io.everheap.store.ShardedStoreBuilder;
import io.everheap.store.StoreBackup;
import io.everheap.store.StoreBackups;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What {@code backup}, {@code backups} and {@code restore} do with stores of shards. */
final class StoredBackups {
  private final StoreBackups backups;
  private final boolean json;
  private final PrintWriter out;

  StoredBackups(StoreBackups backups, boolean json, PrintWriter out) {
    this.backups = backups;
    this.json = json;
    this.out = out;
  }

  private Bar bar() {
    return new Bar(out, !json && Bar.onTerminal());
  }

  /** Backs up a store that no process has open. */
  void take(ShardedStoreBuilder opening, Backup.Kind kind, long bytesPerSecond) throws IOException {
    Bar bar = bar();
    StoreBackup backup;
    try (ShardedStore store = opening.open()) {
      backup = backups.take(store, kind, bytesPerSecond, bar::update);
    } finally {
      bar.clear();
    }
    if (json) {
      Json.document(out, generator -> write(generator, backup));
    } else {
      out.println(
          String.format(
              Locale.ROOT,
              "%s: %s of a store of %s in %d shards.",
              backup.name(),
              Text.bytes(backup.bytes()),
              Text.bytes(backup.heapBytes()),
              backup.heaps().size()));
      out.flush();
    }
  }

  /** Deletes old backups, lists the others, and compares them with their checksums. */
  void list(@Nullable Integer keep, boolean verify) throws IOException {
    List<StoreBackup> deleted = keep == null ? List.of() : backups.keep(keep);
    List<StoreBackup> all = backups.list();
    if (verify) {
      Bar bar = bar();
      try {
        all.forEach(backup -> backups.verify(backup, bar::update));
      } finally {
        bar.clear();
      }
    }
    if (json) {
      Json.document(
          out,
          generator -> {
            generator.writeStartArray();
            for (StoreBackup backup : all) {
              write(generator, backup);
            }
            generator.writeEndArray();
          });
      return;
    }
    deleted.forEach(backup -> out.println("deleted " + backup.name()));
    Table table = new Table("backup of a store", "kind", "size", "store", "shards");
    table.right(2);
    table.right(3);
    table.right(4);
    for (StoreBackup backup : all) {
      table.row(
          backup.name(),
          backup.kind().name().toLowerCase(Locale.ROOT),
          Text.bytes(backup.bytes()),
          Text.bytes(backup.heapBytes()),
          String.valueOf(backup.heaps().size()));
    }
    table.print(out);
    out.println(Text.count(all.size()) + (verify ? " backups, all sound" : " backups") + ".");
    out.flush();
  }

  /**
   * Restores a store.
   *
   * @param name of the backup; null for the newest one
   * @return false if there is no backup with this name
   */
  boolean restore(@Nullable String name, Path directory) throws IOException {
    Optional<StoreBackup> found =
        name == null
            ? Optional.of(backups.newest())
            : backups.list().stream().filter(b -> b.name().equals(name)).findFirst();
    if (found.isEmpty()) {
      return false;
    }
    StoreBackup backup = found.get();
    Bar bar = bar();
    try {
      backups.restore(backup, directory, bar::update);
    } finally {
      bar.clear();
    }
    if (json) {
      Json.document(
          out,
          document -> {
            document.writeStartObject();
            document.writeStringField("directory", directory.toString());
            document.writeStringField("backup", backup.name());
            document.writeNumberField("shards", backup.heaps().size());
            document.writeEndObject();
          });
    } else {
      out.println("Restored the store " + directory + " from " + backup.name() + ".");
      out.flush();
    }
    return true;
  }

  private static void write(JsonGenerator json, StoreBackup backup) throws IOException {
    json.writeStartObject();
    json.writeStringField("name", backup.name());
    json.writeStringField("kind", backup.kind().name());
    json.writeStringField("store", backup.store().toString());
    json.writeStringField("created", backup.created().toString());
    json.writeNumberField("shards", backup.shards());
    json.writeNumberField("target", backup.target());
    json.writeArrayFieldStart("heaps");
    for (UUID heap : backup.heaps()) {
      json.writeString(heap.toString());
    }
    json.writeEndArray();
    json.writeNumberField("heapBytes", backup.heapBytes());
    json.writeNumberField("bytes", backup.bytes());
    json.writeEndObject();
  }
}
