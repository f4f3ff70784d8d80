package io.everheap.testkit;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.testkit.Human.Person;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Random changes of people and of groups of people, and the same on a model. */
final class CollectWork {
  private static final int KEYS = 5;

  /** One of the people of the model. */
  private static final class Model {
    final int age;
    final Person person;
    @Nullable Model friend;

    Model(int age, Person person) {
      this.age = age;
      this.person = person;
    }
  }

  private final Heap heap;
  private final Random random;
  private final DurableMap<Integer, Person> people;
  private final DurableMap<Integer, DurableList<Person>> groups;
  private Map<Integer, Model> peopleModel = new TreeMap<>();
  private Map<Integer, List<Model>> groupsModel = new TreeMap<>();

  CollectWork(Heap heap, long seed) {
    this.heap = heap;
    this.random = new Random(seed);
    this.people = heap.map("people", Integer.class, Person.class);
    this.groups = heap.root("groups", DurableMap.of(Integer.class, DurableList.of(Person.class)));
    Map<Person, Model> known = new HashMap<>();
    people.forEach((key, person) -> peopleModel.put(key, model(person, known)));
    groups.forEach(
        (key, group) ->
            groupsModel.put(
                key, new ArrayList<>(group.stream().map(p -> model(p, known)).toList())));
  }

  private static Model model(Person start, Map<Person, Model> known) {
    Model first = null;
    Model before = null;
    for (Person next = start; next != null; next = next.friend()) {
      Model old = known.get(next);
      Model made = old != null ? old : new Model(next.age(), next);
      if (before != null) {
        before.friend = made;
      }
      first = first == null ? made : first;
      if (old != null) {
        break;
      }
      known.put(next, made);
      before = made;
    }
    return java.util.Objects.requireNonNull(first);
  }

  /** What the heap holds, as a text that says who is who. */
  String contents() {
    CollectText<Person> text = new CollectText<>(Person::age, Person::friend);
    Map<Integer, List<Person>> held = new TreeMap<>();
    groups.forEach((key, group) -> held.put(key, List.copyOf(group)));
    return text.of(new TreeMap<>(people), held);
  }

  /** What it should hold, likewise. */
  String expected() {
    return new CollectText<Model>(m -> m.age, m -> m.friend).of(peopleModel, groupsModel);
  }

  /**
   * Changes something in one transaction.
   *
   * @param announce is told the contents just before the heap may commit them
   */
  void step(Consumer<String> announce) {
    heap.transact(
        () -> {
          for (int i = random.nextInt(3); i >= 0; i--) {
            change();
          }
          announce.accept(expected());
        });
  }

  private void change() {
    int key = random.nextInt(KEYS);
    switch (random.nextInt(6)) {
      case 0 -> {
        people.remove(key);
        peopleModel.remove(key);
      }
      case 1 -> {
        groups.remove(key);
        groupsModel.remove(key);
      }
      case 2 -> {
        Model member = any();
        DurableList<Person> group =
            groups.computeIfAbsent(key, k -> heap.create(DurableList.of(Person.class)));
        group.add(member.person);
        groupsModel.computeIfAbsent(key, k -> new ArrayList<>()).add(member);
      }
      case 3 -> {
        Model one = any();
        Model other = random.nextInt(4) == 0 ? null : any();
        one.person.friend(other == null ? null : other.person);
        one.friend = other;
      }
      default -> {
        Model one = any();
        people.put(key, one.person);
        peopleModel.put(key, one);
      }
    }
  }

  /** One that is in use, or a new one. */
  private Model any() {
    List<Model> all = new ArrayList<>(peopleModel.values());
    groupsModel.values().forEach(all::addAll);
    for (int i = 0; i < all.size(); i++) {
      Model friend = all.get(i).friend;
      if (friend != null && !all.contains(friend)) {
        all.add(friend);
      }
    }
    if (all.isEmpty() || random.nextInt(3) == 0) {
      int age = random.nextInt(1000);
      String name = "n".repeat(random.nextInt(200));
      return new Model(
          age,
          heap.create(
              Person.class,
              p -> {
                p.age(age);
                p.name(name);
              }));
    }
    return all.get(random.nextInt(all.size()));
  }
}
