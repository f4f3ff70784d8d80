package io.everheap.infinispan;

import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import java.util.ArrayList;
import java.util.List;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.jspecify.annotations.Nullable;

/**
 * A change of one entry: what a batch and a prepared transaction consist of.
 *
 * @param segment of the key
 * @param key marshalled
 * @param entry that the key has from now on; null if it is removed
 */
record Change(int segment, ByteBuffer key, @Nullable StoredEntry entry) {

  /** The same change of an entry with other bytes of its key. */
  Change withKey(ByteBuffer other) {
    return new Change(segment, other, entry);
  }

  /** The bytes of a prepared transaction. */
  static byte[] encode(List<Change> changes) {
    var out = new CodecOutput();
    var part = new CodecOutput();
    out.writeVarInt(changes.size());
    for (Change change : changes) {
      out.writeVarInt(change.segment);
      out.writeVarInt(change.key.getLength());
      StoredEntry.write(change.key, out);
      out.writeBoolean(change.entry != null);
      if (change.entry != null) {
        part.reset();
        change.entry.write(part);
        out.writeVarInt(part.size());
        out.writeBytes(part.array(), 0, part.size());
      }
    }
    return out.toByteArray();
  }

  /** The changes of a prepared transaction. */
  static List<Change> decode(byte[] bytes) {
    var in = new CodecInput(bytes);
    var part = new CodecInput(bytes);
    int count = in.readLength();
    var changes = new ArrayList<Change>(count);
    for (int i = 0; i < count; i++) {
      int segment = in.readVarInt();
      ByteBuffer key = ByteBufferImpl.create(in.readBytes(in.readLength()));
      StoredEntry entry = null;
      if (in.readBoolean()) {
        int length = in.readLength();
        byte[] whole = in.readBytes(length);
        part.reset(whole, 0, length);
        entry = StoredEntry.read(part);
      }
      changes.add(new Change(segment, key, entry));
    }
    in.expectEnd();
    return changes;
  }
}
