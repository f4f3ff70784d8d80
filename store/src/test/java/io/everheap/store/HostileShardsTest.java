package io.everheap.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableSortedMap;
import io.everheap.error.CorruptException;
import io.everheap.error.CorruptValueException;
import io.everheap.error.EverheapException;
import io.everheap.store.ValueCodec.Raw;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts, numbers and keys in shards that no store wrote, in pages with the right checksums. */
class HostileShardsTest {
  @TempDir private Path directory;

  @BeforeEach
  void make() {
    try (ShardedStore store = open()) {
      store.sortedMap("numbers", Long.class, String.class).put(1L, "one");
    }
  }

  private ShardedStore open() {
    return ShardedStore.builder(directory)
        .shards(2)
        .durability(Durability.async(Duration.ofSeconds(1)))
        .heaps(heap -> heap.maxSize(64 << 20).logSize(16 << 20))
        .acceptMixedShards()
        .open();
  }

  private void change(int shard, Consumer<Heap> change) {
    try (Heap heap =
        Heap.builder(directory.resolve(ShardNames.of(shard)))
            .maxSize(64 << 20)
            .logSize(16 << 20)
            .open()) {
      change.accept(heap);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "map", "sorted map\nlong", "list\nlong\nstring", "map\na\nb\nc"})
  void typesThatNoStoreWroteAreDamage(String types) {
    change(0, heap -> heap.map("everheap.maps", String.class, String.class).put("odd", types));
    try (ShardedStore store = open()) {
      assertThatThrownBy(() -> store.map("odd", Long.class, String.class))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("odd");
      assertThat(store.sortedMap("numbers", Long.class, String.class).get(1L)).isEqualTo("one");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 256, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
  void anIntentOfAShardThatDoesNotExistIsDamage(int coordinator) {
    byte[] intent = new Changes(List.of()).encode(coordinator);
    change(1, heap -> heap.map("everheap.intents", Long.class, byte[].class).put(1L, intent));
    assertThatThrownBy(this::open)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(ShardNames.of(1));
  }

  @Test
  void anIntentThatIsCutOffIsDamage() {
    change(1, heap -> heap.map("everheap.intents", Long.class, byte[].class).put(1L, new byte[0]));
    assertThatThrownBy(this::open).isInstanceOf(EverheapException.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 9})
  void aKeyThatIsNoNumberIsNotReadAsOne(int length) {
    var shape = DurableSortedMap.of(Codecs.BYTES, ValueCodec.RAW);
    change(0, heap -> heap.root("map numbers", shape).put(new byte[length], new Raw(new byte[1])));
    try (ShardedStore store = open()) {
      var numbers = store.sortedMap("numbers", Long.class, String.class);
      assertThatThrownBy(() -> numbers.forEach((key, value) -> {}))
          .isInstanceOf(CorruptValueException.class)
          .hasMessageContaining("numbers");
      assertThat(numbers.undecodable()).toIterable().hasSize(1);
    }
  }
}
