package io.everheap.cache;

import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.support.SilentMessages;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message of a cache has a value (rule E4 of docs/encryption.md). */
class NoValuesInCacheMessagesTest {
  private static final String SECRET = "4111-1111";

  @TempDir private Path dir;

  /** Refuses what it was deserialized to, with the value in the message. */
  static final class Refuses implements Serializable {
    private static final long serialVersionUID = 1L;
    private final String number;

    Refuses(String number) {
      this.number = number;
    }

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      throw new InvalidObjectException("not a number: " + number);
    }
  }

  private final SilentMessages messages =
      new SilentMessages(NoValuesInCacheMessagesTest.class, SECRET);

  @AfterEach
  void close() {
    messages.close();
  }

  @Test
  void ofAValueThatIsRefusedWhenItIsDeserialized() {
    Codec<Refuses> codec = CacheCodecs.values(Refuses.class, getClass().getClassLoader());
    CodecOutput out = new CodecOutput();
    codec.write(new Refuses(SECRET), out);
    messages.attempt(() -> codec.read(new CodecInput(out.toByteArray())));
    try (DurableCache<String, Refuses> cache =
        DurableCache.builder(dir.resolve("refuses"), 16 << 20, Codecs.STRING, codec).open()) {
      cache.put("a", new Refuses(SECRET));
      messages.attempt(() -> cache.get("a"));
    }
  }

  @Test
  void ofAValueThatItsCodecCannotRead() {
    Codec<String> codec =
        new Codec<>() {
          @Override
          public String name() {
            return "card";
          }

          @Override
          public void write(String value, CodecOutput out) {
            out.writeUtf(value);
          }

          @Override
          public String read(CodecInput in) {
            throw new IllegalArgumentException("cannot read " + in.readUtf());
          }

          @Override
          public boolean canonical() {
            return true;
          }
        };
    try (DurableCache<String, String> cache =
        DurableCache.builder(dir.resolve("card"), 16 << 20, Codecs.STRING, codec).open()) {
      cache.put("a", SECRET);
      messages.attempt(() -> cache.get("a"));
    }
  }

  @Test
  void ofLoadersAndListenersThatFail() {
    try (DurableCache<String, String> cache =
        DurableCache.builder(dir.resolve("failing"), 16 << 20, Codecs.STRING, Codecs.STRING)
            .removalListener(
                (key, value, cause) -> {
                  throw new IllegalStateException("cannot hear of " + SECRET);
                })
            .open()) {
      cache.put("a", SECRET);
      cache.invalidate("a");
      messages.fails(
          () ->
              cache.get(
                  "b",
                  key -> {
                    throw new IllegalStateException("cannot load " + SECRET);
                  }));
      messages.attempt(() -> cache.put("c", SECRET.repeat(4 << 20)));
    }
  }
}
