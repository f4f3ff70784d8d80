package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.testkit.Human.LaterPerson;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Random work on objects that lead to each other, and the same on a model. */
final class ObjectWork<P extends Human<P>> {
  private static final int KEYS = 8;

  /** What an object holds, with the key of the friend in place of the friend. */
  record Row(int age, @Nullable String name, @Nullable Integer friend) {}

  private final Heap heap;
  private final Class<P> type;
  private final Random random;
  private final DurableMap<Integer, P> people;

  ObjectWork(Heap heap, Class<P> type, long seed) {
    this.heap = heap;
    this.type = type;
    this.random = new Random(seed);
    this.people = heap.map("people", Integer.class, type);
  }

  /** What the objects hold. */
  Map<Integer, Row> contents() {
    Map<P, Integer> keys = new java.util.HashMap<>();
    people.forEach((key, person) -> keys.put(person, key));
    Map<Integer, Row> rows = new TreeMap<>();
    people.forEach(
        (key, person) -> {
          P friend = person.friend();
          Integer friendKey = friend == null ? null : Objects.requireNonNull(keys.get(friend));
          rows.put(key, new Row(person.age(), person.name(), friendKey));
          if (person instanceof LaterPerson later && later.score() != null) {
            assertThat(later.note()).isEqualTo("note " + later.score());
          }
        });
    return rows;
  }

  /**
   * Does one thing.
   *
   * @param model what the objects hold; becomes what they hold afterwards
   * @param announce is told the model just before the heap may commit it
   */
  void step(Map<Integer, Row> model, Consumer<Map<Integer, Row>> announce) {
    switch (random.nextInt(8)) {
      case 0, 1 -> single(model, announce);
      case 2 -> abort(model);
      case 3 ->
          heap.transact(
              () -> {
                operation(model);
                abort(model);
                heap.transact(() -> operation(model));
                announce.accept(model);
              });
      default ->
          heap.transact(
              () -> {
                for (int i = random.nextInt(4); i >= 0; i--) {
                  operation(model);
                }
                announce.accept(model);
              });
    }
  }

  /** A write outside of a transaction. */
  private void single(Map<Integer, Row> model, Consumer<Map<Integer, Row>> announce) {
    int key = random.nextInt(KEYS);
    Row row = model.get(key);
    if (row == null) {
      return;
    }
    P person = people.get(key);
    if (random.nextBoolean()) {
      Row changed = new Row(random.nextInt(100), row.name, row.friend);
      model.put(key, changed);
      announce.accept(model);
      person.age(changed.age);
    } else {
      Row changed = new Row(row.age, name(), row.friend);
      model.put(key, changed);
      announce.accept(model);
      person.name(changed.name);
    }
  }

  private void abort(Map<Integer, Row> model) {
    try {
      heap.transact(
          () -> {
            Map<Integer, Row> scratch = new TreeMap<>(model);
            for (int i = random.nextInt(3); i >= 0; i--) {
              operation(scratch);
            }
            throw new Undo();
          });
    } catch (Undo e) {
      // as wanted
    }
  }

  private void operation(Map<Integer, Row> model) {
    int key = random.nextInt(KEYS);
    P person = people.get(key);
    if (person == null || random.nextInt(6) == 0) {
      replace(model, key, person);
    } else if (random.nextInt(8) == 0) {
      people.remove(key);
      model.remove(key);
      forget(model, key, person);
    } else {
      change(model, key, person);
    }
  }

  private void replace(Map<Integer, Row> model, int key, @Nullable P old) {
    Row row = new Row(random.nextInt(100), name(), null);
    people.put(
        key,
        heap.create(
            type,
            p -> {
              p.age(row.age);
              p.name(row.name);
            }));
    model.put(key, row);
    if (old != null) {
      forget(model, key, old);
    }
  }

  /** Frees an object that is in the map no more. */
  private void forget(Map<Integer, Row> model, int key, P gone) {
    people.forEach(
        (other, person) -> {
          if (gone.equals(person.friend())) {
            person.friend(null);
          }
        });
    model.replaceAll(
        (other, row) -> Objects.equals(row.friend, key) ? new Row(row.age, row.name, null) : row);
    heap.free(gone);
  }

  private void change(Map<Integer, Row> model, int key, P person) {
    Row row = Objects.requireNonNull(model.get(key));
    switch (random.nextInt(4)) {
      case 0 -> {
        int age = random.nextInt(100);
        person.age(age);
        model.put(key, new Row(age, row.name, row.friend));
      }
      case 1 -> {
        String name = name();
        person.name(name);
        model.put(key, new Row(row.age, name, row.friend));
      }
      case 2 -> {
        int friend = random.nextInt(KEYS);
        P other = people.get(friend);
        person.friend(other);
        model.put(key, new Row(row.age, row.name, other == null ? null : (Integer) friend));
      }
      default -> {
        if (person instanceof LaterPerson later) {
          long score = random.nextInt(1000);
          later.score(score);
          later.note("note " + score);
        }
      }
    }
  }

  private @Nullable String name() {
    int length = random.nextInt(4) == 0 ? 300 : random.nextInt(12);
    return length == 0 ? null : "n".repeat(length - 1) + random.nextInt(10);
  }

  private static final class Undo extends RuntimeException {
    Undo() {
      super(null, null, false, false);
    }
  }
}
