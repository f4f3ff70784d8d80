package io.everheap.cli.console;

import io.everheap.Heap;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.ChunkUse;
import io.everheap.heap.OpenHeap;
import org.jspecify.annotations.Nullable;

/** What the page can ask for, by name. */
final class Requests {
  private final Subject subject;
  private final Verification verification;
  private final Browsing browsing;

  Requests(Subject subject) {
    this.subject = subject;
    this.verification = new Verification(subject);
    this.browsing = new Browsing(subject);
  }

  /** One JSON object, or null if there is nothing of that name. */
  @Nullable String answer(String what, Query query) {
    return switch (what) {
      case "overview" -> Overview.of(subject);
      case "chunks" -> chunks(subject.heap());
      case "entries" ->
          browsing.entries(
              query.text("of"),
              query.find("from"),
              query.number("offset", 0, Long.MAX_VALUE / 2),
              (int) query.number("limit", 1, Browsing.MOST_ENTRIES));
      case "find" -> browsing.find(query.text("of"), query.text("key"));
      case "object" -> browsing.object(query.text("id"));
      case "text" -> browsing.text(query.text("id"));
      case "verify" -> verification.state();
      case "verify/start" -> {
        verification.start();
        yield verification.state();
      }
      default -> null;
    };
  }

  private static String chunks(Heap heap) {
    Engine engine = OpenHeap.engine(heap);
    return Page.json(
        json -> {
          json.writeNumberField("chunkBytes", 1 << 18);
          json.writeArrayFieldStart("chunks");
          for (ChunkUse chunk : engine.blocksOf(engine.memory()).chunkUses()) {
            json.writeStartArray();
            json.writeString(chunk.kind());
            json.writeNumber(chunk.blockBytes());
            json.writeNumber(chunk.used());
            json.writeNumber(chunk.total());
            json.writeEndArray();
          }
          json.writeEndArray();
        });
  }
}
