package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.Heap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The constructor of shapes takes any parts; a heap refuses those that no method {@code of} makes.
 */
class RefusedShapesTest {
  private final Heap heap = Heap.inMemory();

  @AfterEach
  void close() {
    heap.close();
  }

  static List<Shape<?>> shapes() {
    Shape<?> longs = DurableSet.of(Long.class);
    KeyOrder<Object> order = KeyOrder.of("test.order", (_, _) -> 0);
    return List.of(
        new Shape<>("deque", List.of(Long.class, 0)),
        new Shape<>("deque", List.of(Long.class)),
        new Shape<>("priority queue", List.of(longs)),
        new Shape<>("priority queue", List.of(longs, order)),
        new Shape<>("priority queue", List.of(Object.class)),
        new Shape<>("sorted map", List.of(longs, Long.class, order)),
        new Shape<>("sorted set", List.of(longs, order)),
        new Shape<>("map", List.of(longs, Long.class)),
        new Shape<>("set", List.of(longs)),
        new Shape<>("array", List.of(int.class, new long[1], false)),
        new Shape<>("array", List.of(int.class, "text", false)),
        new Shape<>("array", List.of(int.class, -2L)),
        new Shape<>("array", List.of(Integer.class, 1L)),
        new Shape<>("array", List.of(int.class, 1L, true)),
        new Shape<>("object array", List.of(Long.class, -2L)),
        new Shape<>("block", List.of(-1L)),
        new Shape<>("block", List.of(8L, 8L)),
        new Shape<>("map", List.of(Long.class, Long.class, Long.class)),
        new Shape<>("map", List.of(Long.class)),
        new Shape<>("set", List.of(Long.class, Long.class)),
        new Shape<>("list", List.of(Long.class, 1)),
        new Shape<>("sorted map", List.of(Long.class, Long.class, order, order)),
        new Shape<>("sorted map", List.of(Long.class, Long.class, "order")),
        new Shape<>("work queue", List.of(Long.class, 1)),
        new Shape<>("text", List.of(1)),
        new Shape<>("counter", List.of(1L)),
        new Shape<>("atomic long", List.of()),
        new Shape<>("object", List.of()),
        new Shape<>("no such kind", List.of()));
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void noHeapMakesSuchAStructure(Shape<?> shape) {
    assertThatIllegalArgumentException().isThrownBy(() -> heap.root("root", shape));
    assertThat(heap.roots()).isEmpty();
  }
}
