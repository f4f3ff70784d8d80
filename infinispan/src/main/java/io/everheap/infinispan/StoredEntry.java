package io.everheap.infinispan;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import org.infinispan.commons.io.ByteBuffer;
import org.infinispan.commons.io.ByteBufferImpl;
import org.infinispan.persistence.spi.MarshallableEntry;
import org.jspecify.annotations.Nullable;

/**
 * What the heap keeps of an entry besides its key.
 *
 * @param deadline milliseconds since 1970 from which the entry is expired; {@link #NEVER} if never
 * @param created when the entry was made, or -1
 * @param lastUsed when the entry was used, or -1
 */
record StoredEntry(
    long deadline,
    long created,
    long lastUsed,
    @Nullable ByteBuffer value,
    @Nullable ByteBuffer metadata,
    @Nullable ByteBuffer internalMetadata) {
  static final long NEVER = -1;

  private static final int HAS_VALUE = 1;
  private static final int HAS_METADATA = 2;
  private static final int HAS_INTERNAL_METADATA = 4;
  private static final int HAS_TIMES = 8;
  private static final int HAS_DEADLINE = 16;
  private static final int KNOWN = 31;

  /** Writes and reads whole entries. */
  static final Codec<StoredEntry> CODEC =
      new EntryCodec<>() {
        @Override
        public void write(StoredEntry entry, CodecOutput out) {
          entry.write(out);
        }

        @Override
        public StoredEntry read(CodecInput in) {
          return StoredEntry.read(in);
        }
      };

  /** Reads the deadlines of what {@link #CODEC} wrote. */
  static final Codec<Long> DEADLINE =
      new EntryCodec<>() {
        @Override
        public void write(Long deadline, CodecOutput out) {
          throw new UnsupportedOperationException("a deadline is a part of an entry");
        }

        @Override
        public Long read(CodecInput in) {
          long deadline = (in.readByte() & HAS_DEADLINE) == 0 ? NEVER : in.readLong();
          in.readBytes(in.remaining());
          return deadline;
        }
      };

  /** Two codecs of one name, since what they read is one layout. */
  private abstract static class EntryCodec<T> implements Codec<T> {
    @Override
    public String name() {
      return "infinispan.Entry";
    }
  }

  /** What is stored of an entry of Infinispan. */
  static StoredEntry of(MarshallableEntry<?, ?> entry) {
    long deadline = entry.expiryTime();
    return new StoredEntry(
        deadline > 0 ? deadline : NEVER,
        entry.created(),
        entry.lastUsed(),
        entry.getValueBytes(),
        entry.getMetadataBytes(),
        entry.getInternalMetadataBytes());
  }

  boolean isExpired(long now) {
    return deadline != NEVER && deadline <= now;
  }

  boolean isMortal() {
    return deadline != NEVER;
  }

  /** The value comes last, so its length is what remains. */
  void write(CodecOutput out) {
    boolean times = created != -1 || lastUsed != -1;
    out.writeByte(
        (value == null ? 0 : HAS_VALUE)
            | (metadata == null ? 0 : HAS_METADATA)
            | (internalMetadata == null ? 0 : HAS_INTERNAL_METADATA)
            | (times ? HAS_TIMES : 0)
            | (deadline == NEVER ? 0 : HAS_DEADLINE));
    if (deadline != NEVER) {
      out.writeLong(deadline);
    }
    if (times) {
      out.writeLong(created);
      out.writeLong(lastUsed);
    }
    if (metadata != null) {
      out.writeVarInt(metadata.getLength());
      write(metadata, out);
    }
    if (internalMetadata != null) {
      out.writeVarInt(internalMetadata.getLength());
      write(internalMetadata, out);
    }
    if (value != null) {
      write(value, out);
    }
  }

  static StoredEntry read(CodecInput in) {
    int has = in.readByte();
    if ((has & ~KNOWN) != 0) {
      throw in.corrupt("found the parts " + has + " of an entry");
    }
    long deadline = (has & HAS_DEADLINE) == 0 ? NEVER : in.readLong();
    long created = (has & HAS_TIMES) == 0 ? -1 : in.readLong();
    long lastUsed = (has & HAS_TIMES) == 0 ? -1 : in.readLong();
    ByteBuffer metadata = (has & HAS_METADATA) == 0 ? null : read(in.readLength(), in);
    ByteBuffer internal = (has & HAS_INTERNAL_METADATA) == 0 ? null : read(in.readLength(), in);
    ByteBuffer value = (has & HAS_VALUE) == 0 ? null : read(in.remaining(), in);
    return new StoredEntry(deadline, created, lastUsed, value, metadata, internal);
  }

  static void write(ByteBuffer bytes, CodecOutput out) {
    out.writeBytes(bytes.getBuf(), bytes.getOffset(), bytes.getLength());
  }

  private static ByteBuffer read(int length, CodecInput in) {
    return ByteBufferImpl.create(in.readBytes(length));
  }
}
