package io.everheap.structure.map;

import static io.everheap.collection.TestCodecs.BYTES;
import static io.everheap.collection.TestCodecs.LONG;
import static io.everheap.collection.TestCodecs.STRING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.collection.DurableMap;
import io.everheap.engine.Engine;
import io.everheap.engine.alloc.BlockType;
import io.everheap.error.ClosedException;
import io.everheap.error.CorruptException;
import io.everheap.structure.Structures;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.structure.common.StructureContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a map says to wrong arguments, wrong codecs and the wrong moment. */
class DurableMapHandleTest {
  private static final Codec<String> NOT_CANONICAL =
      new Codec<>() {
        @Override
        public String name() {
          return "loose string";
        }

        @Override
        public void write(String value, CodecOutput out) {
          STRING.write(value, out);
        }

        @Override
        public String read(CodecInput in) {
          return STRING.read(in);
        }
      };

  @Test
  void aCodecWithSeveralEncodingsOfAValueCannotBeThatOfKeys() {
    try (MapHeap heap = MapHeap.inMemory()) {
      assertThatThrownBy(() -> heap.map(NOT_CANONICAL, LONG))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("loose string");
      DurableMap<Long, String> values = heap.map(LONG, NOT_CANONICAL);
      values.put(1L, "one");
      assertThat(values.get(1L)).isEqualTo("one");
    }
  }

  @Test
  void codecsOfAnotherKindAreRefused() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> map = heap.map(LONG, LONG);
      Engine engine = heap.engine();
      assertThatThrownBy(
              () ->
                  MapHandle.attach(
                      Structures.of(engine.context()),
                      HeapStructureId.of(map).reference(),
                      LONG,
                      STRING))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("word keys and word values")
          .hasMessageContaining("word keys and byte values");
    }
  }

  @Test
  void aBlockOfAnotherTypeIsNoMap() {
    try (MapHeap heap = MapHeap.inMemory()) {
      Engine engine = heap.engine();
      engine.transactions().begin();
      long block = engine.allocator().allocate(BlockType.RAW, 56);
      assertThatThrownBy(() -> MapHandle.attach(Structures.of(engine.context()), block, LONG, LONG))
          .isInstanceOf(CorruptException.class);
      engine.transactions().end(false);
    }
  }

  @Test
  void theTypeIsKept() {
    try (MapHeap heap = MapHeap.inMemory()) {
      Engine engine = heap.engine();
      StructureContext context = Structures.of(engine.context());
      long reference = HashKind.mapOf(LONG, LONG).create(context, new long[] {7, -9});
      assertThat(HashKind.MAP.types(context, reference)).containsExactly(7, -9);
      HashKind.MAP.destroy(context, reference);
    }
  }

  @Test
  @SuppressWarnings("CollectionIncompatibleType") // on purpose
  void keysAndValuesOfForeignTypesAreNeverThere() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> words = heap.map(LONG, LONG);
      DurableMap<String, byte[]> bytes = heap.map(STRING, BYTES);
      words.put(1L, 1L);
      bytes.put("1", new byte[] {1});
      for (Map<?, ?> map : new Map<?, ?>[] {words, bytes}) {
        Object foreign = List.of("1");
        assertThat(map.get(foreign)).isNull();
        assertThat(map.containsKey(foreign)).isFalse();
        assertThat(map.containsValue(foreign)).isFalse();
        assertThat(map.remove(foreign)).isNull();
        assertThat(map.remove(foreign, foreign)).isFalse();
        assertThat(map.keySet().remove(foreign)).isFalse();
        assertThat(map.keySet().contains(foreign)).isFalse();
        assertThat(map.entrySet().contains(Map.entry(foreign, foreign))).isFalse();
        assertThat(map).hasSize(1);
      }
    }
  }

  @Test
  void arraysAreComparedByTheirContents() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<String, byte[]> map = heap.map(STRING, BYTES);
      map.put("key", new byte[] {1, 2});
      assertThat(map.containsValue(new byte[] {1, 2})).isTrue();
      assertThat(map.replace("key", new byte[] {1}, new byte[] {3})).isFalse();
      assertThat(map.replace("key", new byte[] {1, 2}, new byte[] {3})).isTrue();
      assertThat(map.remove("key", new byte[] {3})).isTrue();
    }
  }

  @Test
  void severalHandlesShowTheSameMap() {
    try (MapHeap heap = MapHeap.inMemory()) {
      DurableMap<Long, Long> one = heap.map(LONG, LONG);
      var other = MapHandle.attach(heap.context(), HeapStructureId.of(one).reference(), LONG, LONG);
      one.put(1L, 2L);
      assertThat(other.get(1L)).isEqualTo(2);
      other.clear();
      assertThat(one).isEmpty();
    }
  }

  @Test
  void afterTheHeapWasClosedEveryMethodSaysSo() {
    MapHeap heap = MapHeap.inMemory();
    DurableMap<Long, Long> map = heap.map(LONG, LONG);
    DurableMap<String, String> strings = heap.map(STRING, STRING);
    map.put(1L, 1L);
    heap.close();
    assertThatThrownBy(() -> map.get(1L)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> strings.get("1")).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.put(1L, 1L)).isInstanceOf(ClosedException.class);
    assertThatThrownBy(map::size).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.keySet().iterator()).isInstanceOf(ClosedException.class);
    assertThatThrownBy(() -> map.putIfAbsent(1L, 1L)).isInstanceOf(ClosedException.class);
  }
}
