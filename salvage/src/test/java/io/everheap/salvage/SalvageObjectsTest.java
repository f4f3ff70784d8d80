package io.everheap.salvage;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.HeapBuilder;
import io.everheap.HeapCheck;
import io.everheap.StoredType;
import io.everheap.TestHeaps;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedSet;
import io.everheap.durable.Durable;
import io.everheap.engine.alloc.Reference;
import io.everheap.engine.home.HomeLayout;
import io.everheap.report.VerifyProgress;
import io.everheap.structure.common.HeapStructureId;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is saved of durable objects, without their interfaces. */
@Campaign
class SalvageObjectsTest {
  private static final int PEOPLE = 500;

  @TempDir Path temp;
  private Path heap;
  private Path saved;

  enum Mood {
    GLAD,
    SAD
  }

  record Visit(Person of, int year) {}

  @Durable
  interface Person {
    String name();

    void name(String value);

    boolean here();

    void here(boolean value);

    byte small();

    void small(byte value);

    double height();

    void height(double value);

    @Nullable Mood mood();

    void mood(@Nullable Mood value);

    @Nullable Long number();

    void number(@Nullable Long value);

    @Nullable Person friend();

    void friend(@Nullable Person value);

    Optional<Visit> visit();

    void visit(Optional<Visit> value);

    @Nullable DurableSortedSet<String> tags();

    void tags(@Nullable DurableSortedSet<String> value);
  }

  private static Heap open(Path directory) {
    return builder(directory).open();
  }

  private static HeapBuilder builder(Path directory) {
    return TestHeaps.builder(directory).lookup(MethodHandles.lookup());
  }

  private static DurableMap<String, Person> people(Heap open) {
    return open.map("people", String.class, Person.class);
  }

  private static DurableMap<Person, Long> ages(Heap open) {
    return open.map("ages", Person.class, Long.class);
  }

  @BeforeEach
  void aHeapOfObjects() {
    heap = temp.resolve("heap");
    saved = temp.resolve("saved");
    try (Heap open = open(heap)) {
      open.transact(() -> fill(open));
    }
  }

  private static void fill(Heap open) {
    DurableSortedSet<String> tags = open.create(DurableSortedSet.of(String.class));
    tags.addAll(List.of("b", "a"));
    Person boss = open.object("boss", Person.class, person -> person.name("boss"));
    boss.friend(boss);
    boss.tags(tags);
    for (int i = 0; i < PEOPLE; i++) {
      int n = i;
      Person person =
          open.create(
              Person.class,
              made -> {
                made.name("person " + n);
                made.here(n % 2 == 0);
                made.small((byte) -n);
                made.height(1.5 + n);
                made.mood(n % 3 == 0 ? null : Mood.values()[n % 2]);
                made.number(n % 5 == 0 ? null : (long) -n);
                made.friend(boss);
                made.visit(Optional.of(new Visit(boss, n)));
                made.tags(tags);
              });
      people(open).put(person.name(), person);
      ages(open).put(person, (long) n);
    }
    boss.visit(Optional.of(new Visit(person(open, 7), 1999)));
  }

  private static Person person(Heap open, int i) {
    return Objects.requireNonNull(people(open).get("person " + i));
  }

  private SalvageReport salvage() {
    SalvageReport report = Salvage.run(heap, saved, builder(saved), VerifyProgress.NONE);
    assertThat(HeapCheck.verify(saved).problems()).isEmpty();
    return report;
  }

  private static SalvageReport.Root root(SalvageReport report, String name) {
    return report.roots().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  private static void assertSaved(Heap open, int i) {
    Person person = person(open, i);
    Person boss = open.object("boss", Person.class);
    assertThat(person.name()).isEqualTo("person " + i);
    assertThat(person.here()).isEqualTo(i % 2 == 0);
    assertThat(person.small()).isEqualTo((byte) -i);
    assertThat(person.height()).isEqualTo(1.5 + i);
    assertThat(person.mood()).isEqualTo(i % 3 == 0 ? null : Mood.values()[i % 2]);
    assertThat(person.number()).isEqualTo(i % 5 == 0 ? null : (Long) (long) -i);
    assertThat(person.friend()).isEqualTo(boss);
    assertThat(person.visit()).contains(new Visit(boss, i));
    assertThat(person.tags()).containsExactly("a", "b");
    assertThat(ages(open).get(person)).isEqualTo(i);
  }

  @Test
  void ofASoundHeapAllObjectsAreSavedWithWhatTheyLeadTo() {
    SalvageReport report = salvage();

    assertThat(report.complete()).as("%s", report).isTrue();
    assertThat(root(report, "boss").kind()).isEqualTo("object");
    try (Heap open = open(saved)) {
      Person boss = open.object("boss", Person.class);
      assertThat(boss.friend()).isEqualTo(boss);
      assertThat(boss.visit()).contains(new Visit(person(open, 7), 1999));
      for (int i = 0; i < PEOPLE; i++) {
        assertSaved(open, i);
      }
      assertThat(people(open)).hasSize(PEOPLE);
      assertThat(ages(open)).hasSize(PEOPLE);
      assertThat(open.verify().unreachable()).isZero();
      person(open, 3).name("another");
      assertThat(person(open, 3).name()).isEqualTo("another");
    }
  }

  @Test
  void allVersionsOfTypesAreCopied() {
    salvage();
    try (Heap before = open(heap);
        Heap after = open(saved)) {
      assertThat(after.types()).extracting(StoredType::name).isNotEmpty();
      assertThat(after.types())
          .extracting(StoredType::fields)
          .isEqualTo(before.types().stream().map(StoredType::fields).toList());
    }
  }

  @Test
  void withoutTheCatalogTheObjectsAreFound() {
    zero(HomeLayout.CATALOG_ADDRESS, HomeLayout.PAGE_SIZE);
    SalvageReport report = salvage();

    assertThat(report.lost()).isZero();
    try (Heap open = open(saved)) {
      assertSaved(open, 77);
    }
  }

  private List<Integer> places(String text) throws IOException {
    byte[] name = text.getBytes(StandardCharsets.UTF_8);
    byte[] home = Files.readAllBytes(heap.resolve("heap"));
    List<Integer> places = new ArrayList<>();
    for (int at = 0; at + name.length < home.length; at++) {
      if (Arrays.equals(home, at, at + name.length, name, 0, name.length)) {
        places.add(at);
      }
    }
    return places;
  }

  @Test
  void aFieldThatDoesNotDecodeIsNull() throws Exception {
    for (int at : places("person 123")) {
      TestHeaps.write(heap.resolve("heap"), at - 1, ByteBuffer.wrap(new byte[] {99})); // its length
    }
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    try (Heap open = open(saved)) {
      assertSaved(open, 122);
      assertThat(open.verify().problems()).isEmpty();
    }
  }

  @Test
  void aFieldWhoseValueIsLostIsNull() throws Exception {
    List<Integer> places = places("person 123");
    long cell = places.stream().mapToInt(at -> at).max().orElseThrow() & -8L;
    for (int at : places) {
      zero((at & -8L) - 8, 8); // the header of the block
    }
    assertThat(cell).isPositive();
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    try (Heap open = open(saved)) {
      assertSaved(open, 122);
      assertThat(open.verify().problems()).isEmpty();
    }
  }

  @Test
  void objectsThatNothingLeadsToAreInListsOfTheirTypes() {
    try (Heap open = open(heap)) {
      open.transact(
          () -> {
            Person one = open.create(Person.class, made -> made.name("one"));
            Person other = open.create(Person.class, made -> made.name("other"));
            one.friend(other);
            other.friend(one);
          });
    }
    SalvageReport report = salvage();

    assertThat(root(report, "salvaged-1").saved()).isEqualTo(4); // objects and entries
    assertThat(report.notes()).anyMatch(note -> note.contains("Person"));
    try (Heap open = open(saved)) {
      DurableList<Person> list = open.list("salvaged-1", Person.class);
      assertThat(list).extracting(Person::name).containsExactlyInAnyOrder("one", "other");
      assertThat(list.get(0).friend()).isEqualTo(list.get(1));
      assertThat(list.get(1).friend()).isEqualTo(list.get(0));
    }
  }

  @Test
  void behindALostHeaderTheObjectsAreFound() {
    long header;
    try (Heap open = open(heap)) {
      header = Reference.address(HeapStructureId.of(people(open)).reference());
    }
    zero(header, 8);
    SalvageReport report = salvage();

    assertThat(report.complete()).isFalse();
    try (Heap open = open(saved)) {
      assertThat(ages(open)).hasSize(PEOPLE);
      Map<Person, Long> ages = ages(open);
      ages.forEach((person, age) -> assertThat(person.name()).isEqualTo("person " + age));
    }
  }

  private void zero(long offset, int bytes) {
    TestHeaps.write(heap.resolve("heap"), offset, ByteBuffer.allocate(bytes));
  }
}
