package io.everheap.store;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.store.ValueCodec.Raw;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes of a batch in one shard, as an intent keeps them. Immutable. */
record Changes(List<Change> all) {
  /**
   * A change of one key.
   *
   * @param map name of the map
   * @param value null to remove the key
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nothing
  record Change(String map, boolean sorted, byte[] key, @Nullable Raw value) {
    void apply(Shard shard) {
      var part = Catalog.part(shard, map, sorted, ValueCodec.RAW);
      if (value == null) {
        part.remove(key);
      } else {
        part.put(key, value);
      }
    }
  }

  /** Applies the changes, in the running transaction of the shard's heap. */
  void apply(Shard shard) {
    all.forEach(change -> change.apply(shard));
  }

  byte[] encode(int coordinator) {
    CodecOutput out = new CodecOutput();
    out.writeVarInt(coordinator);
    out.writeVarInt(all.size());
    for (Change change : all) {
      out.writeUtf(change.map);
      out.writeBoolean(change.sorted);
      write(change.key, out);
      Raw value = change.value;
      out.writeBoolean(value != null);
      if (value != null) {
        write(value.bytes(), out);
      }
    }
    return out.toByteArray();
  }

  /** The shard that decides whether an intent counts. */
  static int coordinator(byte[] intent) {
    return new CodecInput(intent, 0, intent.length).readVarInt();
  }

  static Changes decode(byte[] intent) {
    CodecInput in = new CodecInput(intent, 0, intent.length);
    in.readVarInt();
    int count = in.readLength();
    List<Change> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      String map = in.readUtf();
      boolean sorted = in.readBoolean();
      byte[] key = in.readBytes(in.readLength());
      Raw value = in.readBoolean() ? new Raw(in.readBytes(in.readLength())) : null;
      all.add(new Change(map, sorted, key, value));
    }
    in.expectEnd();
    return new Changes(List.copyOf(all));
  }

  private static void write(byte[] bytes, CodecOutput out) {
    out.writeVarInt(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }
}
