package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.support.SilentMessages;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No message of a store has a value (rule E4 of docs/encryption.md). */
class NoValuesInStoreMessagesTest {
  private static final String SECRET = "4111-1111";

  /** Whether the program is one that refuses the values. */
  private static boolean later;

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Card(String number) {
    Card {
      if (later) {
        throw new IllegalArgumentException("not a card: " + number);
      }
    }
  }

  @TempDir private Path directory;
  private ShardedStore store;
  private SilentMessages messages;

  @BeforeEach
  void open() {
    later = false;
    store =
        ShardedStore.builder(directory)
            .shards(2)
            .durability(Durability.async(Duration.ofSeconds(1)))
            .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20))
            .open();
    messages = new SilentMessages(NoValuesInStoreMessagesTest.class, SECRET);
  }

  @AfterEach
  void close() {
    later = false;
    store.close();
    messages.close();
  }

  @Test
  void valuesThatDoNotDecode() {
    for (ShardedMap<String, Card> map :
        java.util.List.of(
            store.map("map", String.class, Card.class),
            store.sortedMap("sorted", String.class, Card.class))) {
      Card card = new Card(SECRET);
      map.put("a", card);
      later = true;
      messages.fails(() -> map.get("a"));
      messages.fails(() -> map.put("a", card));
      messages.fails(() -> map.remove("a"));
      messages.fails(() -> map.compute("a", (key, value) -> value));
      messages.fails(() -> map.asMap().values().iterator().next());
      messages.fails(
          () -> {
            try {
              map.putAsync("a", card).toCompletableFuture().get();
            } catch (ExecutionException e) {
              throw e.getCause();
            }
          });
      messages.require(map.undecodable().next().toString());
      messages.require(map.undecodable().next().reason());
      messages.require(map.toString());
      messages.attempt(() -> store.batch().put(map, "a", card).commit());
      later = false;
    }
    messages.require(store.verify().toString());
    assertThat(store.stats().toString()).doesNotContain(SECRET);
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes", "UnnecessaryStringBuilder"}) // what erasure lets pass
  void valuesOfAnotherClassAndLargeOnes() {
    ShardedMap<String, Long> map = store.map("numbers", String.class, Long.class);
    messages.fails(() -> ((ShardedMap) map).put("a", SECRET));
    messages.attempt(() -> ((ShardedMap) map).put("a", new StringBuilder(SECRET)));
    messages.attempt(() -> ((ShardedMap) map).get(new StringBuilder(SECRET)));
    ShardedMap<String, String> texts = store.map("texts", String.class, String.class);
    messages.fails(() -> texts.put(SECRET.repeat(100_000), "a"));
    messages.attempt(() -> texts.put("a", SECRET.repeat(10_000_000)));
    messages.fails(() -> store.map("texts", String.class, Long.class));
  }

  @Test
  void functionsThatFail() {
    ShardedMap<String, String> map = store.map("texts", String.class, String.class);
    map.put("a", SECRET);
    messages.fails(
        () ->
            map.compute(
                "a",
                (key, value) -> {
                  throw new IllegalStateException("cannot use " + value);
                }));
  }
}
