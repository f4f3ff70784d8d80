package io.everheap.benchmarks.ycsb;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * A record of YCSB as an array of bytes, the same for every store: for each field, in the order of
 * their numbers, its length as a varint and its bytes.
 */
final class RecordCodec {
  private static final String PREFIX = "field"; // as CoreWorkload names them
  private static final int VARINT_MAX = 5;

  private final String[] names;

  RecordCodec(int fields) {
    names = new String[fields];
    Arrays.setAll(names, i -> PREFIX + i);
  }

  /** The size of a record whose fields have all so many bytes. */
  int bytes(int fieldBytes) {
    return names.length * (fieldBytes + varintBytes(fieldBytes));
  }

  /** Encodes all fields; one that is missing is empty. */
  byte[] encode(Map<String, ByteIterator> values) {
    return join(fields(values));
  }

  /** The fields in the order of their numbers; one that is missing is empty. */
  byte[][] fields(Map<String, ByteIterator> values) {
    byte[][] fields = new byte[names.length][];
    for (int i = 0; i < fields.length; i++) {
      ByteIterator value = values.get(names[i]);
      fields[i] = value == null ? new byte[0] : value.toArray();
    }
    return fields;
  }

  /** The number of a field. */
  static int number(String name) {
    return Integer.parseInt(name, PREFIX.length(), name.length(), 10);
  }

  /** Puts fields into a result: those that are wanted, or all. */
  void name(byte[][] fields, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
    for (int i = 0; i < fields.length; i++) {
      if (wanted == null || wanted.contains(names[i])) {
        result.put(names[i], new ByteArrayByteIterator(fields[i]));
      }
    }
  }

  /** A copy of a record with some fields replaced. */
  byte[] replace(byte[] record, Map<String, ByteIterator> changes) {
    if (changes.size() == 1) {
      Map.Entry<String, ByteIterator> change = changes.entrySet().iterator().next();
      byte[] value = change.getValue().toArray();
      Reader reader = new Reader(record);
      for (int i = number(change.getKey()); i > 0; i--) {
        reader.skip(reader.varint());
      }
      if (reader.varint() == value.length) {
        byte[] changed = record.clone();
        System.arraycopy(value, 0, changed, reader.at, value.length);
        return changed;
      }
      return replaceAny(record, Map.of(change.getKey(), new ByteArrayByteIterator(value)));
    }
    return replaceAny(record, changes);
  }

  private byte[] replaceAny(byte[] record, Map<String, ByteIterator> changes) {
    byte[][] fields = new byte[names.length][];
    Reader reader = new Reader(record);
    for (int i = 0; i < fields.length; i++) {
      int length = reader.varint();
      ByteIterator change = changes.get(names[i]);
      fields[i] = change == null ? reader.copy(length) : change.toArray();
      if (change != null) {
        reader.skip(length);
      }
    }
    return join(fields);
  }

  /** Copies fields out: those that are wanted, or all. */
  void decode(byte[] record, @Nullable Set<String> wanted, Map<String, ByteIterator> result) {
    Reader reader = new Reader(record);
    for (String name : names) {
      int length = reader.varint();
      if (wanted == null || wanted.contains(name)) {
        result.put(name, new ByteArrayByteIterator(reader.copy(length)));
      } else {
        reader.skip(length);
      }
    }
  }

  private static byte[] join(byte[][] fields) {
    int size = 0;
    for (byte[] field : fields) {
      size += varintBytes(field.length) + field.length;
    }
    byte[] record = new byte[size];
    int at = 0;
    for (byte[] field : fields) {
      int rest = field.length;
      while (rest >= 0x80) {
        record[at++] = (byte) (rest | 0x80);
        rest >>>= 7;
      }
      record[at++] = (byte) rest;
      System.arraycopy(field, 0, record, at, field.length);
      at += field.length;
    }
    return record;
  }

  private static int varintBytes(int n) {
    int bytes = 1;
    for (int rest = n; rest >= 0x80 && bytes < VARINT_MAX; rest >>>= 7) {
      bytes++;
    }
    return bytes;
  }

  private static final class Reader {
    private final byte[] record;
    private int at;

    Reader(byte[] record) {
      this.record = record;
    }

    int varint() {
      int n = 0;
      int shift = 0;
      byte b;
      do {
        b = record[at++];
        n |= (b & 0x7f) << shift;
        shift += 7;
      } while (b < 0);
      return n;
    }

    byte[] copy(int length) {
      byte[] field = Arrays.copyOfRange(record, at, at + length);
      at += length;
      return field;
    }

    void skip(int length) {
      at += length;
    }
  }
}
