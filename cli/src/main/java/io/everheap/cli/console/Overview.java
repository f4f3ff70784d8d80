package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.HeapStats;
import io.everheap.Root;
import io.everheap.StoredType;
import io.everheap.error.EverheapException;
import java.io.IOException;
import java.util.List;

/** What the heap is: sizes, log, recovery, roots, types; or why it cannot be opened. */
final class Overview {
  private Overview() {}

  static String of(Subject subject) {
    subject.refresh();
    Heap heap = subject.find();
    return Page.json(
        json -> {
          json.writeStringField("directory", subject.directory().toString());
          if (heap != null) {
            json.writeStringField("state", "open");
            writeHeap(json, heap);
          } else {
            json.writeStringField("state", subject.isInUse() ? "in use" : "damaged");
            EverheapException failure = subject.failure();
            json.writeStringField("failure", failure == null ? "" : failure.getMessage());
          }
        });
  }

  private static void writeHeap(JsonGenerator json, Heap heap) throws IOException {
    HeapStats stats = heap.stats();
    json.writeStringField("id", stats.id().toString());
    json.writeNumberField("formatVersion", stats.formatVersion());
    json.writeStringField("created", stats.created().toString());
    json.writeStringField("medium", stats.medium());
    json.writeStringField("durableWrite", stats.durableWrite());
    json.writeNumberField("capacity", stats.capacity());
    json.writeNumberField("maxSize", stats.maxSize());
    json.writeNumberField("used", stats.usedBytes());
    json.writeNumberField("blocks", stats.blocks());
    json.writeNumberField("epoch", stats.epoch());
    json.writeNumberField("checkpointLsn", stats.checkpointLsn());
    json.writeNumberField("endLsn", stats.appendedLsn());
    HeapStats.Recovery recovery = stats.recovery();
    json.writeBooleanField("clean", recovery.clean());
    json.writeNumberField("replayed", recovery.transactions());
    json.writeNumberField("replayedBytes", recovery.bytes());
    json.writeNumberField("tornBytes", recovery.tornBytes());
    writeRoots(json, heap);
    List<StoredType> types;
    try {
      types = heap.types();
    } catch (EverheapException e) {
      types = List.of(); // as the roots, of which the page says why
    }
    json.writeArrayFieldStart("types");
    for (StoredType type : types) {
      json.writeStartObject();
      json.writeStringField("name", type.name());
      json.writeBooleanField("newest", type.newest());
      json.writeArrayFieldStart("fields");
      for (StoredType.Field field : type.fields()) {
        json.writeString(field.type() + " " + field.name());
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    writeSizes(json, stats.sizeClasses());
  }

  /** A damaged list of roots leaves the other figures. */
  private static void writeRoots(JsonGenerator json, Heap heap) throws IOException {
    List<Root> roots;
    try {
      roots = heap.roots();
    } catch (EverheapException e) {
      json.writeStringField("failure", e.getMessage());
      roots = List.of();
    }
    json.writeArrayFieldStart("roots");
    for (Root root : roots) {
      json.writeStartObject();
      json.writeStringField("name", root.name());
      json.writeStringField("kind", root.kind());
      json.writeStringField("types", String.join(", ", root.types().values()));
      json.writeNumberField("size", root.size());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void writeSizes(JsonGenerator json, List<HeapStats.SizeClass> classes)
      throws IOException {
    json.writeArrayFieldStart("sizeClasses");
    for (HeapStats.SizeClass c : classes) {
      json.writeStartObject();
      json.writeStringField("name", c.name());
      json.writeNumberField("blocks", c.blocks());
      json.writeNumberField("used", c.usedBytes());
      json.writeNumberField("reserved", c.reservedBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
