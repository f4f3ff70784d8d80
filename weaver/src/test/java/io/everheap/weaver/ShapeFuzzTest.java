package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.engine.EngineOptions;
import io.everheap.heap.HeapSettings;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random types are compiled, used as interface or woven class, killed or closed, changed and
 * compiled again, in turns, next to a model. {@code -Deverheap.shapes=N} tries N types.
 */
@Campaign
class ShapeFuzzTest {
  private static final int SHAPES = Integer.getInteger("everheap.shapes", 4);
  private static final long FIRST = Long.getLong("everheap.shapes.seed", 1);
  private static final int VERSIONS = 4;

  @TempDir private Path directory;

  @Test
  void typesOfAllShapesKeepWhatTheyWereGiven() throws IOException {
    for (long seed = FIRST; seed < FIRST + SHAPES; seed++) {
      try {
        new Run(seed, directory.resolve("heap" + seed)).run();
      } catch (RuntimeException | Error e) {
        throw new AssertionError("with -Deverheap.shapes.seed=" + seed, e);
      }
    }
  }

  private static final class Run {
    private final Random random;
    private final Shape shape;
    private Path directory;

    /** Values by the first name of their field, by object; an object of a field as its number. */
    private final Map<Integer, Map<String, Object>> model = new TreeMap<>();

    Run(long seed, Path directory) {
      this.random = new Random(seed);
      this.shape = new Shape(random);
      this.directory = directory;
    }

    private static Heap open(Path directory) {
      return HeapSettings.options(
              Heap.builder(directory),
              new EngineOptions(
                  1L << 30, 20, 1 << 18, 1 << 16, 1 << 17, 1L << 26, 64 << 20, 1L << 40, true, 0,
                  false))
          .open();
    }

    void run() throws IOException {
      for (int version = 0; version < VERSIONS; version++) {
        if (version > 0) {
          shape.change();
        }
        Program program =
            random.nextBoolean()
                ? Program.plain(shape.asInterface())
                : Program.woven(shape.asClass());
        for (int process = 0; process < 2; process++) {
          try (Heap heap = open(directory)) {
            use(heap, program.type("Thing"));
            assertThat(heap.verify().problems()).isEmpty();
            if (random.nextBoolean()) {
              directory = copy();
            }
          }
        }
      }
    }

    /** What a process that is killed now would leave. */
    private Path copy() throws IOException {
      Path to = directory.resolveSibling(directory.getFileName() + "'");
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.toList()) {
          Path target = to.resolve(directory.relativize(file).toString());
          if (Files.isDirectory(file)) {
            Files.createDirectories(target);
          } else {
            Files.copy(file, target);
          }
        }
      }
      return to;
    }

    private void use(Heap heap, Class<Object> type) {
      DurableMap<Integer, Object> things = heap.map("things", Integer.class, type);
      check(things);
      for (int i = 0; i < 40; i++) {
        int step = random.nextInt(10);
        if (step < 3 || model.isEmpty()) {
          int id = model.size();
          things.put(id, heap.create(type));
          model.put(id, new HashMap<>());
        } else if (step < 9) {
          assign(things, any());
        } else {
          rolledBack(heap, things);
        }
      }
      check(things);
    }

    private int any() {
      return random.nextInt(model.size());
    }

    private void rolledBack(Heap heap, DurableMap<Integer, Object> things) {
      Map<Integer, Map<String, Object>> before = new TreeMap<>();
      model.forEach((id, values) -> before.put(id, new HashMap<>(values)));
      try {
        heap.transact(
            () -> {
              for (int i = 0; i < 5; i++) {
                assign(things, any());
              }
              check(things);
              throw new IllegalStateException("no");
            });
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("no");
      }
      model.putAll(before);
    }

    private static String key(Shape.Field field) {
      return field.formerly().isEmpty() ? field.name() : field.formerly().getFirst();
    }

    private void assign(DurableMap<Integer, Object> things, int id) {
      if (shape.fields().isEmpty()) {
        return;
      }
      Shape.Field field = shape.fields().get(random.nextInt(shape.fields().size()));
      Object value = value(field.type());
      Object passed = field.type() == Shape.Type.OTHER && value != null ? things.get(value) : value;
      Program.on(things.get(id), field.name(), passed);
      model.get(id).put(key(field), value);
    }

    private Object value(Shape.Type type) {
      if (type.compareTo(Shape.Type.DOUBLE) > 0 && random.nextInt(4) == 0) {
        return null;
      }
      return switch (type) {
        case BOOLEAN -> random.nextBoolean();
        case BYTE -> (byte) random.nextInt();
        case SHORT -> (short) random.nextInt();
        case CHAR -> (char) random.nextInt();
        case INT -> random.nextInt();
        case FLOAT -> random.nextFloat();
        case LONG, BOXED -> random.nextLong();
        case DOUBLE -> random.nextDouble();
        case TEXT -> "t".repeat(random.nextInt(200));
        case DAY -> LocalDate.ofEpochDay(random.nextInt(100_000));
        case BYTES -> new byte[random.nextInt(50)];
        case NAMES -> List.of("a", "b".repeat(random.nextInt(10)));
        case OTHER -> any();
      };
    }

    private void check(DurableMap<Integer, Object> things) {
      assertThat(things).hasSize(model.size());
      model.forEach(
          (id, values) -> {
            Object thing = things.get(id);
            for (Shape.Field field : shape.fields()) {
              Object found = Program.on(thing, field.name());
              Object wanted = values.get(key(field));
              Supplier<String> where = () -> id + "." + field + " in " + thing;
              if (field.type() == Shape.Type.OTHER) {
                assertThat(found)
                    .describedAs(where)
                    .isEqualTo(wanted == null ? null : things.get(wanted));
              } else {
                assertThat(show(field.type(), found))
                    .describedAs(where)
                    .isEqualTo(show(field.type(), wanted));
              }
            }
          });
    }

    /** As text, with what a value was that was widened since. */
    private static String show(Shape.Type type, Object value) {
      Object shown = value;
      if (type.compareTo(Shape.Type.DOUBLE) <= 0) {
        shown =
            switch (value) {
              case null -> type == Shape.Type.BOOLEAN ? (Object) false : (Object) 0.0;
              case Character c -> (double) c;
              case Long n -> type == Shape.Type.LONG ? (Object) n : (Object) (double) n;
              case Number n -> n.doubleValue();
              default -> value;
            };
        if (type == Shape.Type.LONG && shown instanceof Double n) {
          shown = n.longValue();
        }
      }
      return shown instanceof byte[] bytes ? Arrays.toString(bytes) : String.valueOf(shown);
    }
  }
}
