package io.everheap.cli;

import io.everheap.HeapStats;
import io.everheap.report.VerifyReport;
import io.everheap.store.ShardedStore;
import io.everheap.store.StoreReport;
import io.everheap.store.StoreStats;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

/** What {@code info} and {@code verify} say about a directory that holds a store of shards. */
final class StoreInspection {
  private StoreInspection() {}

  private static ShardedStore open(HeapArguments arguments) {
    return arguments.store().readOnly().open();
  }

  static void info(HeapArguments arguments, PrintWriter out) throws IOException {
    try (ShardedStore store = open(arguments)) {
      StoreStats stats = store.stats();
      if (arguments.json()) {
        Json.document(
            out,
            json -> {
              json.writeStartObject();
              json.writeStringField("location", arguments.directory().toString());
              json.writeStringField("id", stats.id().toString());
              json.writeNumberField("formatVersion", stats.formatVersion());
              json.writeNumberField("shards", stats.shards());
              json.writeNumberField("target", stats.target());
              json.writeArrayFieldStart("maps");
              for (String name : store.names()) {
                json.writeString(name);
              }
              json.writeEndArray();
              json.writeArrayFieldStart("heaps");
              for (HeapStats heap : stats.heaps()) {
                json.writeStartObject();
                json.writeStringField("location", heap.location());
                json.writeNumberField("capacity", heap.capacity());
                json.writeNumberField("used", heap.usedBytes());
                json.writeEndObject();
              }
              json.writeEndArray();
              json.writeEndObject();
            });
        return;
      }
      out.println("store   " + stats.id());
      out.println(
          "format  "
              + stats.formatVersion()
              + (stats.formatVersion() == 1
                  ? "; in it, a shard of an earlier moment may go unnoticed (everheap upgrade)"
                  : ""));
      out.println("shards  " + stats.shards());
      if (stats.target() != stats.shards()) {
        out.println("        changing to " + stats.target());
      }
      out.println("maps    " + String.join(", ", store.names()));
      for (HeapStats heap : stats.heaps()) {
        out.println(
            String.format(
                Locale.ROOT,
                "%s: %s used of %s on %s",
                heap.location(),
                Text.bytes(heap.usedBytes()),
                Text.bytes(heap.capacity()),
                heap.medium()));
      }
      out.flush();
    }
  }

  /** Returns whether nothing is wrong. */
  static boolean verify(HeapArguments arguments, PrintWriter out) throws IOException {
    try (ShardedStore store = open(arguments)) {
      StoreReport report = store.verify();
      if (arguments.json()) {
        Json.document(
            out,
            json -> {
              json.writeStartObject();
              json.writeBooleanField("ok", report.ok());
              json.writeNumberField("entries", report.entries());
              json.writeArrayFieldStart("problems");
              for (String problem : report.problems()) {
                json.writeString(problem);
              }
              json.writeEndArray();
              json.writeArrayFieldStart("heaps");
              for (VerifyReport heap : report.heaps()) {
                VerifyCommand.write(json, heap, 0);
              }
              json.writeEndArray();
              json.writeEndObject();
            });
        return report.ok();
      }
      for (VerifyReport heap : report.heaps()) {
        heap.problems().forEach(problem -> out.println("PROBLEM " + problem));
      }
      report.problems().forEach(problem -> out.println("PROBLEM " + problem));
      out.println(
          String.format(
              Locale.ROOT,
              "%s: %d heaps, %s entries of maps.",
              report.ok() ? "OK" : "DAMAGED",
              report.heaps().size(),
              Text.count(report.entries())));
      out.flush();
      return report.ok();
    }
  }
}
