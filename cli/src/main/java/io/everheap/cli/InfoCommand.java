package io.everheap.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.Root;
import io.everheap.error.CorruptException;
import io.everheap.report.Footprint;
import io.everheap.store.ShardedStore;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code everheap info DIR}: what a heap is and what it holds. */
@Command(
    name = "info",
    description = {
      "Shows what a heap is: its sizes, log, recovery, roots and their types.",
      "--bytes reads each root, and shows the bytes of its own blocks, and of these with the"
          + " structures and objects that it leads to; shared ones count for each of their roots."
    })
final class InfoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private HeapArguments arguments;

  @Option(
      names = "--bytes",
      description = "Also show the space that each root takes; reads all roots.")
  private boolean bytes;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    if (ShardedStore.exists(arguments.directory())) {
      if (bytes) {
        throw new ParameterException(
            spec.commandLine(), "--bytes is for heaps; there is a store in this directory");
      }
      StoreInspection.info(arguments, out);
      return ExitCode.OK;
    }
    try (Heap heap = arguments.open()) {
      HeapStats stats = heap.stats();
      List<Root> roots = heap.roots();
      List<String> regions = heap.regions();
      Map<String, Footprint> sizes = bytes ? footprints(heap, roots) : Map.of();
      if (arguments.json()) {
        Json.document(out, json -> writeJson(json, stats, roots, sizes, regions));
      } else {
        new InfoText(out).print(stats, roots, bytes ? sizes : null, regions);
      }
    }
    return ExitCode.OK;
  }

  /** The footprints of the roots by name, without those of damaged roots. */
  private static Map<String, Footprint> footprints(Heap heap, List<Root> roots) {
    Map<String, Footprint> sizes = new HashMap<>();
    for (Root root : roots) {
      try {
        sizes.put(root.name(), heap.footprint(root.name()));
      } catch (CorruptException e) {
        // The row of the root says so.
      }
    }
    return sizes;
  }

  private static void writeJson(
      JsonGenerator json,
      HeapStats stats,
      List<Root> roots,
      Map<String, Footprint> sizes,
      List<String> regions)
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
      Footprint size = sizes.get(root.name());
      if (size != null) {
        json.writeNumberField("ownBytes", size.ownBytes());
        json.writeNumberField("bytes", size.bytes());
      }
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
