package io.everheap.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.everheap.cache.codec.CacheCodecs;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.EverheapException;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  private static void silent(ThrowingCallable call) {
    Throwable failure = catchThrowable(call);
    assertThat(failure).isNotNull();
    assertThat(failure.toString()).doesNotContain(SECRET);
    for (Throwable e = failure.getCause(); e != null; e = e.getCause()) {
      if (e instanceof EverheapException) {
        assertThat(e.toString()).doesNotContain(SECRET);
      }
    }
  }

  @Test
  void ofAValueThatIsRefusedWhenItIsDeserialized() {
    Codec<Refuses> codec = CacheCodecs.values(Refuses.class, getClass().getClassLoader());
    CodecOutput out = new CodecOutput();
    codec.write(new Refuses(SECRET), out);
    silent(() -> codec.read(new CodecInput(out.toByteArray())));
    try (DurableCache<String, Refuses> cache =
        DurableCache.builder(dir.resolve("refuses"), 16 << 20, Codecs.STRING, codec).open()) {
      cache.put("a", new Refuses(SECRET));
      silent(() -> cache.get("a"));
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
      silent(() -> cache.get("a"));
    }
  }
}
