package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.Root;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code everheap info DIR}: what a heap is and what it holds. */
@Command(
    name = "info",
    description = "Shows what a heap is: its sizes, log, recovery, roots and their types.")
final class InfoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (ShardedStore.exists(arguments.directory())) {
      StoreInspection.info(arguments, out);
      return ExitCode.OK;
    }
    try (Heap heap = arguments.open()) {
      HeapStats stats = heap.stats();
      List<Root> roots = heap.roots();
      List<String> regions = heap.regions();
      if (arguments.json()) {
        Json.document(out, json -> writeJson(json, stats, roots, regions));
      } else {
        new InfoText(out).print(stats, roots, regions);
      }
    }
    return ExitCode.OK;
  }

  private static void writeJson(
      JsonGenerator json, HeapStats stats, List<Root> roots, List<String> regions)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("location", stats.location());
    json.writeStringField("id", stats.id().toString());
    json.writeNumberField("formatVersion", stats.formatVersion());
    if (stats.encryptionVersion() > 0) {
      json.writeNumberField("encryptionVersion", stats.encryptionVersion());
    }
    json.writeStringField("created", stats.created().toString());
    json.writeStringField("medium", stats.medium());
    json.writeStringField("durableWrite", stats.durableWrite());
    json.writeNumberField("capacity", stats.capacity());
    json.writeNumberField("maxSize", stats.maxSize());
    json.writeNumberField("used", stats.usedBytes());
    json.writeNumberField("free", stats.capacity() - stats.usedBytes());
    json.writeNumberField("blocks", stats.blocks());
    if (stats.logSize() > 0) { // known only while the log is open for writing
      json.writeNumberField("logUsed", stats.logUsed());
      json.writeNumberField("logSize", stats.logSize());
    }
    json.writeNumberField("epoch", stats.epoch());
    json.writeNumberField("checkpointLsn", stats.checkpointLsn());
    json.writeNumberField("endLsn", stats.appendedLsn());
    writeRecovery(json, stats.recovery());
    json.writeArrayFieldStart("roots");
    for (Root root : roots) {
      json.writeStartObject();
      json.writeStringField("name", root.name());
      json.writeStringField("kind", root.kind());
      for (Map.Entry<String, String> type : root.types().entrySet()) {
        json.writeStringField(type.getKey() + "Type", type.getValue());
      }
      json.writeNumberField("size", root.size());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("regions");
    for (String region : regions) {
      json.writeString(region);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("sizeClasses");
    for (HeapStats.SizeClass c : stats.sizeClasses()) {
      json.writeStartObject();
      json.writeStringField("name", c.name());
      json.writeNumberField("blocks", c.blocks());
      json.writeNumberField("used", c.usedBytes());
      json.writeNumberField("reserved", c.reservedBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeRecovery(JsonGenerator json, HeapStats.Recovery recovery)
      throws IOException {
    json.writeObjectFieldStart("recovery");
    json.writeBooleanField("clean", recovery.clean());
    json.writeNumberField("transactions", recovery.transactions());
    json.writeNumberField("bytes", recovery.bytes());
    json.writeNumberField("tornBytes", recovery.tornBytes());
    json.writeNumberField("millis", recovery.duration().toNanos() / 1e6);
    json.writeEndObject();
  }
}
