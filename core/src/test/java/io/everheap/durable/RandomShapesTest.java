package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Interfaces of random shapes are compiled, used, and changed as programs change, and each time the
 * heap is opened again its objects are what a plain model says. {@code -Deverheap.crash.effort=N}
 * tries more of them.
 */
@Campaign
class RandomShapesTest {
  private static final int VERSIONS = 4;
  private static final int OPERATIONS = 60;

  @TempDir private Path directory;

  private final Map<Long, Map<Integer, Object>> model = new HashMap<>();
  private long nextKey;

  /** Stands for another object of the model in a field. */
  private record To(long key) {}

  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  static LongStream seeds() {
    int effort = Integer.getInteger("everheap.crash.effort", 1);
    return LongStream.range(0, 3L * effort).map(i -> i + Seeds.seed());
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void objectsAreWhatTheModelSays(long seed) {
    Random random = new Random(seed);
    RandomShape shape = new RandomShape(random);
    for (int version = 0; version < VERSIONS; version++) {
      Compiled program = Compiled.of(directory, shape.source());
      for (int opening = 0; opening < 2; opening++) {
        try (Heap heap = ObjectHeaps.open(directory.resolve("heap"))) {
          Session session = new Session(heap, program, shape, random);
          session.compare();
          session.change();
          session.compare();
          assertThat(heap.verify().problems()).as(shape.source()).isEmpty();
        }
      }
      shape.evolve();
    }
  }

  /** One run of one version of the program. */
  private final class Session {
    private final Heap heap;
    private final Compiled program;
    private final RandomShape shape;
    private final Random random;
    private final DurableMap<Long, Object> things;

    @SuppressWarnings("unchecked") // the class is only known at run time
    Session(Heap heap, Compiled program, RandomShape shape, Random random) {
      this.heap = heap;
      this.program = program;
      this.shape = shape;
      this.random = random;
      Class<Object> type = (Class<Object>) program.type("Thing");
      this.things = heap.map("things", Long.class, type);
    }

    void compare() {
      assertThat(things.keySet()).isEqualTo(model.keySet());
      Map<Object, Long> keys = new HashMap<>();
      things.forEach((key, thing) -> keys.put(thing, key));
      model.forEach(
          (key, values) -> {
            Object thing = things.get(key);
            for (RandomShape.Field field : shape.fields) {
              Object found = Compiled.get(thing, field.name());
              Object wanted = values.getOrDefault(field.id(), RandomShape.empty(field.type()));
              assertThat(text(found, keys, field))
                  .as("%s of %s in %s", field, key, shape.source())
                  .isEqualTo(text(wanted, keys, field));
            }
          });
    }

    private String text(@Nullable Object value, Map<Object, Long> keys, RandomShape.Field field) {
      if (value instanceof To to) {
        return "to " + to.key;
      }
      return field.type().equals("Thing") && value != null
          ? "to " + keys.get(value)
          : RandomShape.text(value, field.type());
    }

    void change() {
      for (int i = 0; i < OPERATIONS; i++) {
        Map<Long, Map<Integer, Object>> before = copy();
        int size = 1 + random.nextInt(4);
        boolean fails = random.nextInt(6) == 0;
        try {
          heap.transact(
              () -> {
                for (int n = 0; n < size; n++) {
                  operate();
                }
                if (fails) {
                  throw new RolledBack();
                }
              });
        } catch (RolledBack e) {
          model.clear();
          model.putAll(before);
        }
      }
    }

    private Map<Long, Map<Integer, Object>> copy() {
      Map<Long, Map<Integer, Object>> copy = new HashMap<>();
      model.forEach((key, values) -> copy.put(key, new HashMap<>(values)));
      return copy;
    }

    private void operate() {
      int choice = random.nextInt(10);
      if (model.isEmpty() || choice == 0) {
        long key = nextKey++;
        things.put(key, heap.create(program.type("Thing")));
        model.put(key, new HashMap<>());
      } else if (choice == 1) {
        free(any());
      } else {
        write(any());
      }
    }

    private long any() {
      List<Long> keys = new ArrayList<>(model.keySet());
      return keys.get(random.nextInt(keys.size()));
    }

    private void free(long key) {
      for (RandomShape.Field field : shape.fields) {
        model.forEach(
            (other, values) -> {
              if (new To(key).equals(values.get(field.id()))) {
                Compiled.set(things.get(other), field.name(), null);
                values.remove(field.id());
              }
            });
      }
      model.forEach((other, values) -> values.values().removeIf(new To(key)::equals));
      heap.free(things.remove(key));
      model.remove(key);
    }

    private void write(long key) {
      RandomShape.Field field = shape.fields.get(random.nextInt(shape.fields.size()));
      Object thing = things.get(key);
      Object value;
      if (field.type().equals("Thing")) {
        long other = any();
        value = new To(other);
        Compiled.set(thing, field.name(), things.get(other));
      } else {
        value = shape.value(field.type(), program);
        Compiled.set(thing, field.name(), value);
      }
      model.get(key).put(field.id(), value);
    }
  }
}
