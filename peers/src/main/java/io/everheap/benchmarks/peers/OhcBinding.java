package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.TestedCache;
import io.everheap.benchmarks.cache.Words;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.caffinitas.ohc.CacheSerializer;
import org.caffinitas.ohc.DirectValueAccess;
import org.caffinitas.ohc.OHCache;
import org.caffinitas.ohc.OHCacheBuilder;
import org.jspecify.annotations.Nullable;

/** OHC: memory outside of the Java heap; a value is read in place by {@code getDirect}. */
public final class OhcBinding implements CacheBinding {
  private static final double SHARE = 1.3; // its segments do not fill evenly

  /** Makes a binding. */
  public OhcBinding() {}

  @Override
  public TestedCache open(Room room) {
    return new Blocks(
        OHCacheBuilder.<Long, byte[]>newBuilder()
            .keySerializer(new Keys())
            .valueSerializer(new Values())
            .capacity(room.bytes(SHARE))
            .build());
  }

  private static final class Keys implements CacheSerializer<Long> {
    @Override
    public void serialize(Long key, ByteBuffer to) {
      to.putLong(key);
    }

    @Override
    public Long deserialize(ByteBuffer from) {
      return from.getLong();
    }

    @Override
    public int serializedSize(Long key) {
      return Long.BYTES;
    }
  }

  private static final class Values implements CacheSerializer<byte[]> {
    @Override
    public void serialize(byte[] value, ByteBuffer to) {
      to.put(value);
    }

    @Override
    public byte[] deserialize(ByteBuffer from) {
      byte[] value = new byte[from.remaining()];
      from.get(value);
      return value;
    }

    @Override
    public int serializedSize(byte[] value) {
      return value.length;
    }
  }

  private record Blocks(OHCache<Long, byte[]> cache) implements TestedCache {
    @Override
    public long read(long key) {
      try (DirectValueAccess value = cache.getDirect(key)) {
        return value == null ? MISS : Words.sum(value.buffer());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public byte @Nullable [] copy(long key) {
      return cache.get(key);
    }

    @Override
    public void put(long key, byte[] value) {
      boolean _ = cache.put(key, value);
    }

    @Override
    public void close() throws IOException {
      cache.close();
    }
  }
}
