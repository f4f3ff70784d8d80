package io.everheap.cli.console;

import com.fasterxml.jackson.core.JsonGenerator;
import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.cli.NoSuchRootException;
import io.everheap.cli.StoredCollection;
import io.everheap.codec.ObjectReference;
import io.everheap.collection.DescribedFields;
import io.everheap.collection.DescribedStructure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Entries of roots and of structures in them, page by page, and objects. Thread-safe. */
final class Browsing {
  static final int MOST_ENTRIES = 200;

  private static final int MOST_CURSORS = 8;

  /** In the parameter {@code of}, before the name of a root; otherwise it is a handle. */
  private static final String ROOT = "root:";

  private static final Set<String> SEARCHED =
      Set.of("map", "sorted map", "set", "sorted set", "list");

  private final Subject subject;
  private final Handles handles = new Handles();
  private final Map<List<String>, Cursor> cursors = new LinkedHashMap<>();

  Browsing(Subject subject) {
    this.subject = subject;
  }

  /** A page of entries; of a sorted root, from a key on. */
  String entries(String of, @Nullable String from, long offset, int limit) {
    Cursor cursor = cursor(of, from);
    List<Map.Entry<Object, Object>> page;
    boolean more;
    synchronized (cursor) {
      page = cursor.page(offset, limit);
      more = cursor.hasMore();
    }
    return Page.json(
        json -> {
          describe(json, of);
          json.writeNumberField("offset", offset);
          json.writeBooleanField("more", more);
          json.writeArrayFieldStart("entries");
          for (Map.Entry<Object, Object> entry : page) {
            write(json, entry.getKey(), entry.getValue());
          }
          json.writeEndArray();
        });
  }

  /** The entry of a key of a root, if there is one. */
  String find(String of, String argument) {
    Root root = root(of);
    StoredCollection collection = StoredCollection.of(subject.heap(), root.name());
    Object key = collection.key(argument);
    Object value = collection.get(key);
    return Page.json(
        json -> {
          describe(json, of);
          json.writeNumberField("offset", 0);
          json.writeBooleanField("more", false);
          json.writeArrayFieldStart("entries");
          if (value != null) {
            write(json, key, collection.hasValues() ? value : key);
          }
          json.writeEndArray();
        });
  }

  /** The fields of an object. */
  String object(String id) {
    ObjectReference reference = handles.get(id, ObjectReference.class);
    DescribedFields fields = subject.heap().fields(reference).orElse(null);
    return Page.json(
        json -> {
          if (fields == null) {
            json.writeStringField("name", reference.toString());
            json.writeBooleanField("stale", true);
            return;
          }
          var exact = new ObjectReference(fields.type(), reference.reference());
          json.writeStringField("name", exact.toString());
          json.writeArrayFieldStart("entries");
          for (Map.Entry<Object, Object> field : fields.values().entrySet()) {
            write(json, field.getKey(), field.getValue());
          }
          json.writeEndArray();
        });
  }

  /** All of a text that was cut. */
  String text(String id) {
    String text = handles.get(id, String.class);
    return Page.json(json -> json.writeStringField("text", text));
  }

  private void write(JsonGenerator json, @Nullable Object key, @Nullable Object value)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("key");
    new ShownValue(json, handles).write(key);
    json.writeFieldName("value");
    new ShownValue(json, handles).write(value);
    json.writeEndObject();
  }

  private void describe(JsonGenerator json, String of) throws IOException {
    if (of.startsWith(ROOT)) {
      Root root = root(of);
      json.writeStringField("name", root.name());
      json.writeStringField("kind", root.kind());
      json.writeNumberField("size", root.size());
      boolean plain =
          root.types().values().stream()
              .noneMatch(type -> type.startsWith("ref ") || type.startsWith("object "));
      json.writeBooleanField("searched", plain && SEARCHED.contains(root.kind()));
      json.writeBooleanField("sorted", plain && root.kind().startsWith("sorted "));
    } else {
      DescribedStructure structure = handles.get(of, DescribedStructure.class);
      json.writeStringField("name", structure.type());
      json.writeStringField("kind", structure.kind());
      json.writeNumberField("size", structure.size());
    }
  }

  private Root root(String of) {
    Heap heap = subject.heap();
    String name = of.startsWith(ROOT) ? of.substring(ROOT.length()) : of;
    return heap.roots().stream()
        .filter(root -> root.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new NoSuchRootException(name, heap.names()));
  }

  private synchronized Cursor cursor(String of, @Nullable String from) {
    List<String> key = from == null ? List.of(of) : List.of(of, from);
    Cursor known = cursors.remove(key);
    Cursor cursor = known == null ? open(of, from) : known;
    cursors.put(key, cursor); // as the newest
    if (cursors.size() > MOST_CURSORS) {
      cursors.remove(cursors.keySet().iterator().next());
    }
    return cursor;
  }

  private Cursor open(String of, @Nullable String from) {
    Heap heap = subject.heap();
    if (!of.startsWith(ROOT)) {
      return new Cursor(handles.get(of, DescribedStructure.class)::entries);
    }
    String name = root(of).name();
    if (from == null) {
      return new Cursor(() -> heap.entries(name));
    }
    StoredCollection collection = StoredCollection.of(heap, name);
    Object key = collection.key(from);
    return new Cursor(() -> collection.from(key));
  }
}
