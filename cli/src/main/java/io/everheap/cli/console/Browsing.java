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

  /** A page whose values have more bytes ends early. */
  private static final long MAX_PAGE_BYTES = 64 << 20;

  /** Characters of a text that is shown as a whole. */
  private static final int MAX_TEXT = 4 << 20;

  /** In the parameter {@code of}, before the name of a root; otherwise it is a handle. */
  private static final String ROOT = "root:";

  private static final Set<String> SEARCHED =
      Set.of("map", "sorted map", "set", "sorted set", "list");

  private final Subject subject;
  private final Handles handles = new Handles();
  private final Map<List<String>, Cursor> cursors = new LinkedHashMap<>();
  private @Nullable Heap cursorsOf;

  Browsing(Subject subject) {
    this.subject = subject;
  }

  /** A page of entries; of a sorted root, from a key on. */
  String entries(String of, @Nullable String from, long offset, int limit) {
    Cursor cursor = cursor(of, from);
    synchronized (cursor) {
      return Page.json(
          json -> {
            describe(json, of);
            json.writeNumberField("offset", offset);
            json.writeArrayFieldStart("entries");
            boolean more = cursor.page(offset, limit, new PageEntries(json));
            json.writeEndArray();
            json.writeBooleanField("more", more);
          });
    }
  }

  /** Writes the entries of a page, one after the other, so that one large value is held at most. */
  private final class PageEntries implements Cursor.Target {
    private final JsonGenerator json;
    private long shown;

    PageEntries(JsonGenerator json) {
      this.json = json;
    }

    @Override
    public boolean accept(Map.Entry<Object, Object> entry) throws IOException {
      shown += write(json, entry.getKey(), entry.getValue());
      return shown < MAX_PAGE_BYTES;
    }
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

  /** A text that was cut, or bytes: all, or the first {@value #MAX_TEXT} characters. */
  String text(String id) {
    Object thing = handles.get(id, Object.class);
    String text = ShownValue.text(thing, MAX_TEXT);
    return Page.json(json -> json.writeStringField("text", text));
  }

  /** Writes an entry; returns the size of its texts and bytes, also of those that are cut. */
  private long write(JsonGenerator json, @Nullable Object key, @Nullable Object value)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("key");
    long size = new ShownValue(json, handles).writeAll(key);
    json.writeFieldName("value");
    size += new ShownValue(json, handles).writeAll(value);
    json.writeEndObject();
    return size;
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
    Heap heap = subject.heap();
    if (!heap.equals(cursorsOf)) { // it was closed, since nobody used it, and opened again
      cursors.clear();
      cursorsOf = heap;
    }
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
