package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.SilentMessages;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cache.Cache;
import org.springframework.util.unit.DataSize;

/** No message of Spring's caches has a value (rule E4 of docs/encryption.md). */
class NoValuesInSpringMessagesTest {
  private static final String SECRET = "4111-1111";

  /** Cannot be stored. */
  record Unserializable(Object number) {
    @Override
    public String toString() {
      return SECRET;
    }
  }

  @TempDir Path directory;
  private EverheapCacheManager manager;
  private SilentMessages messages;

  @BeforeEach
  void open() {
    var options = new EverheapCacheOptions();
    options.setCapacity(DataSize.ofMegabytes(2));
    manager = EverheapCacheManager.builder(directory).defaults(options).build();
    messages = new SilentMessages(NoValuesInSpringMessagesTest.class, SECRET);
  }

  @AfterEach
  void close() {
    manager.close();
    messages.close();
  }

  @Test
  void valuesOfAnotherType() {
    Cache cache = manager.getCache("people");
    cache.put("a", SECRET);
    messages.fails(() -> cache.get("a", Integer.class));
    assertThat(cache.get("a", String.class)).isEqualTo(SECRET);
    assertThat(cache.get("a", (Class<?>) null)).isEqualTo(SECRET);
    assertThat(cache.get("b", String.class)).isNull();
  }

  @Test
  void valuesThatCannotBeStored() {
    Cache cache = manager.getCache("people");
    Unserializable value = new Unserializable(new Object());
    messages.fails(() -> cache.put("a", value));
    messages.fails(() -> cache.putIfAbsent("a", value));
    messages.fails(() -> cache.get("a", () -> value));
    messages.attempt(() -> cache.put("a", SECRET.repeat(1 << 20)));
  }

  @Test
  void loadersThatFail() {
    Cache cache = manager.getCache("people");
    messages.fails(
        () ->
            cache.get(
                "a",
                () -> {
                  throw new IllegalStateException("cannot load " + SECRET);
                }));
  }
}
