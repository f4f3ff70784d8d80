package io.everheap.cache.format;

import io.everheap.memory.crypt.EntrySealer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * What a file of a cache knows of itself and of the cache as a whole. It stands in two places that
 * are written in turn; the sound one with the largest {@link State#counter} counts, of all files.
 *
 * @param cache identifies the cache; the same in all files
 * @param device identifies the file
 * @param fileSize bytes of the file
 * @param segmentSize bytes of a segment; the same in all files
 * @param removalBytes bytes of the map of removals
 * @param hashSeed of the keys' hashes; the same in all files
 * @param state the same in all files
 */
public record Superblock(
    UUID cache,
    long device,
    long fileSize,
    long segmentSize,
    long removalBytes,
    long hashSeed,
    State state) {
  /** Bytes that a superblock takes. */
  public static final int SIZE = EntrySealer.CACHE_SUPERBLOCK;

  /** The version of the format. */
  public static final int VERSION = 2;

  /**
   * The version before had a list in the place of the map of removals. It is read; if the list may
   * hold something, no entry is served.
   */
  private static final int WITH_LIST = 1;

  /**
   * The version of an encrypted cache: what comes behind the checksum is an encrypted record, of
   * all but the last bytes of version 2, which are zeros.
   */
  public static final int ENCRYPTED = EntrySealer.CACHE_VERSION;

  private static final long MAGIC = EntrySealer.CACHE_MAGIC; // "VEHCACHE"
  private static final int CRC = 12;
  private static final int BODY = 16;
  private static final int SEALED = SIZE - BODY;

  /**
   * Behind all voids, where builds that do not know of forms store zeros; in the first sector,
   * which a power loss leaves old or new as a whole.
   */
  private static final int FORMED = 448;

  private static final byte[] PLACE = "superblock".getBytes(StandardCharsets.US_ASCII);

  /** Whether bytes begin as a superblock of any version does. */
  public static boolean isMagic(ByteBuffer bytes) {
    return bytes.order(ByteOrder.LITTLE_ENDIAN).getLong(0) == MAGIC;
  }

  /** The version of the format that bytes with the magic tell. */
  public static int version(ByteBuffer bytes) {
    return bytes.order(ByteOrder.LITTLE_ENDIAN).getInt(8);
  }

  /**
   * Writes all of it into the first {@link #SIZE} bytes of a buffer.
   *
   * @param sealer encrypts it; null if the cache is not encrypted
   */
  public void write(ByteBuffer target, @Nullable EntrySealer sealer) {
    ByteBuffer out = target.slice(0, SIZE).order(ByteOrder.LITTLE_ENDIAN);
    out.putLong(MAGIC).putInt(sealer == null ? VERSION : ENCRYPTED).putInt(0);
    putId(out, cache);
    out.putLong(device).putLong(fileSize).putLong(segmentSize).putLong(removalBytes);
    out.putLong(hashSeed).putLong(state.devices()).putLong(state.counter());
    out.putLong(state.epoch()).putLong(state.active());
    out.putLong(state.synced()).putLong(state.reserved()).putLong(state.validFrom());
    out.putLong(state.token()).putInt(state.flags()).putInt(state.voids().size());
    putId(out, state.incarnation());
    for (Span span : state.voids()) {
      out.putLong(span.after()).putLong(span.through());
    }
    while (out.hasRemaining()) {
      out.put((byte) 0);
    }
    out.putLong(FORMED, state.formed());
    if (sealer != null) {
      byte[] body = new byte[SEALED - EntrySealer.RECORD_OVERHEAD];
      out.get(BODY, body);
      out.put(BODY, sealer.sealRecord(PLACE, body));
    }
    out.putInt(CRC, crc(out));
  }

  /**
   * Reads the first {@link #SIZE} bytes of a buffer; null if they are no sound superblock.
   *
   * @param sealer decrypts it; null if the cache is not encrypted
   */
  public static @Nullable Superblock read(ByteBuffer source, @Nullable EntrySealer sealer) {
    ByteBuffer in = source.slice(0, SIZE).order(ByteOrder.LITTLE_ENDIAN);
    int version = in.getInt(8);
    boolean isKnown =
        in.getLong(0) == MAGIC
            && (sealer == null ? version == VERSION || version == WITH_LIST : version == ENCRYPTED);
    if (!isKnown || in.getInt(CRC) != crc(in)) {
      return null;
    }
    if (sealer != null) {
      byte[] sealed = new byte[SEALED];
      in.get(BODY, sealed);
      byte[] body = sealer.openRecord(PLACE, sealed);
      if (body == null) {
        return null;
      }
      in = ByteBuffer.allocate(SIZE).order(ByteOrder.LITTLE_ENDIAN).put(BODY, body);
    }
    in.position(BODY);
    UUID cache = id(in);
    long device = in.getLong();
    long fileSize = in.getLong();
    long segmentSize = in.getLong();
    long removalBytes = in.getLong();
    long hashSeed = in.getLong();
    State state = readState(in);
    if (version == WITH_LIST && state.has(State.SCANNING)) {
      state = state.validFrom(Math.max(state.validFrom(), state.reserved() + 1));
    }
    boolean sound =
        FileLayout.isPossible(fileSize, segmentSize, removalBytes) && state.isPossible();
    return sound
        ? new Superblock(cache, device, fileSize, segmentSize, removalBytes, hashSeed, state)
        : null;
  }

  private static State readState(ByteBuffer in) {
    long devices = in.getLong();
    long counter = in.getLong();
    long epoch = in.getLong();
    long active = in.getLong();
    long synced = in.getLong();
    long reserved = in.getLong();
    long validFrom = in.getLong();
    long token = in.getLong();
    int flags = in.getInt();
    int count = in.getInt();
    UUID incarnation = id(in);
    List<Span> voids = new ArrayList<>();
    for (int i = 0; i < Math.min(count, State.MAX_VOIDS); i++) {
      voids.add(new Span(in.getLong(), in.getLong()));
    }
    return new State(
        devices,
        counter,
        epoch,
        active,
        synced,
        reserved,
        validFrom,
        token,
        flags,
        incarnation,
        in.getLong(FORMED),
        List.copyOf(voids));
  }

  private static void putId(ByteBuffer out, UUID id) {
    out.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
  }

  private static UUID id(ByteBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  /** Of all bytes but the checksum's own. */
  private static int crc(ByteBuffer bytes) {
    var crc = new CRC32C();
    crc.update(bytes.slice(0, CRC));
    crc.update(bytes.slice(CRC + 4, SIZE - CRC - 4));
    return (int) crc.getValue();
  }
}
