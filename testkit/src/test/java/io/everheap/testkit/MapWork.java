package io.everheap.testkit;

import io.everheap.Heap;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Random operations on maps of a heap, and the same ones on a model. */
final class MapWork {
  private static final int KEYS = 24;
  private static final List<MapKind> KINDS = List.of(MapKind.values());

  private final Heap heap;
  private final Random random;
  private final Map<MapKind, MapKind.View> views = new EnumMap<>(MapKind.class);

  MapWork(Heap heap, long seed) {
    this.heap = heap;
    this.random = new Random(seed);
    for (MapKind kind : MapKind.values()) {
      views.put(kind, kind.view(heap));
    }
  }

  /** What the maps hold. */
  Contents contents() {
    Contents found = Contents.empty();
    views.forEach((kind, view) -> found.of(kind).putAll(view.contents()));
    return found;
  }

  /**
   * Does one thing.
   *
   * @param model what the maps hold; becomes what they hold afterwards
   * @param announce is told the model just before the heap may commit it
   */
  void step(Contents model, Consumer<Contents> announce) {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3, 4 -> {
        Runnable operation = operation(model);
        announce.accept(model);
        operation.run();
      }
      case 5, 6, 7 -> transaction(model, announce, random.nextInt(1, 6));
      case 8 -> abort(model);
      default -> nested(model, announce);
    }
  }

  /** Several operations as one. */
  private void transaction(Contents model, Consumer<Contents> announce, int count) {
    heap.transact(
        () -> {
          for (int i = 0; i < count; i++) {
            operation(model).run();
          }
          announce.accept(model);
        });
  }

  /** Several operations that are taken back. */
  private void abort(Contents model) {
    Contents scratch = model.copy();
    try {
      heap.transact(
          () -> {
            for (int i = random.nextInt(4); i >= 0; i--) {
              operation(scratch).run();
            }
            throw new Undo();
          });
    } catch (Undo e) {
      // As wanted.
    }
  }

  /** A transaction whose inner ones fail or succeed. */
  private void nested(Contents model, Consumer<Contents> announce) {
    heap.transact(
        () -> {
          operation(model).run();
          abort(model);
          heap.transact(() -> operation(model).run());
          operation(model).run();
          announce.accept(model);
        });
  }

  /** Changes the model, and returns the same change of the heap. */
  private Runnable operation(Contents model) {
    MapKind kind = KINDS.get(random.nextInt(KINDS.size()));
    Map<Long, Long> map = model.of(kind);
    MapKind.View view = views.get(kind);
    long key = random.nextInt(KEYS);
    long value = random.nextInt(1_000_000);
    int kindOfChange = random.nextInt(20);
    if (kindOfChange < 5) {
      map.remove(key);
      return () -> view.remove(key);
    } else if (kindOfChange < 7) {
      map.replace(key, value);
      return () -> view.replace(key, value);
    } else if (kindOfChange < 9) {
      map.putIfAbsent(key, value);
      return () -> view.putIfAbsent(key, value);
    } else if (kindOfChange < 10) {
      map.merge(key, value, Long::sum);
      return () -> view.add(key, value);
    } else if (kindOfChange < 11 && random.nextInt(4) == 0) {
      map.clear();
      return view::clear;
    }
    map.put(key, value);
    return () -> view.put(key, value);
  }

  private static final class Undo extends RuntimeException {
    Undo() {
      super(null, null, false, false);
    }
  }
}
