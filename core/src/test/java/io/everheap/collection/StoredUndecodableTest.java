package io.everheap.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.error.UnsupportedTypeException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A heap finds values that the JVM cannot decode by the stored types of a root. */
class StoredUndecodableTest {
  private static final Heap HEAP = Heap.inMemory();
  private static final String ID = "Test/Atlantis";
  private static final ZoneId KNOWN = ZoneId.of("Europe/Rome");
  private static final KeyOrder<ZoneId> BY_ID =
      KeyOrder.of("test.id", Comparator.comparing(ZoneId::getId));
  private static final KeyOrder<Long> DOWN = KeyOrder.of("test.down", Comparator.reverseOrder());
  private static boolean lacking;

  private static final class Zones extends ZoneRulesProvider {
    @Override
    protected Set<String> provideZoneIds() {
      return Set.of(ID);
    }

    @Override
    protected @Nullable ZoneRules provideRules(String zoneId, boolean forCaching) {
      if (lacking) {
        throw new ZoneRulesException("Unknown time-zone ID: " + zoneId);
      }
      return forCaching ? null : ZoneRules.of(ZoneOffset.UTC);
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
      return new TreeMap<>();
    }
  }

  /** A codec that the heap knows by its name only. */
  private record OwnCodec() implements Codec<Integer> {
    @Override
    public String name() {
      return "test.Own";
    }

    @Override
    public void write(Integer value, CodecOutput out) {
      out.writeInt(value);
    }

    @Override
    public Integer read(CodecInput in) {
      return in.readInt();
    }
  }

  /**
   * A kind of root.
   *
   * @param make makes it, with a value that does not decode later
   * @param positions of such values
   */
  record Kind(String name, Consumer<ZoneId> make, List<Object> positions) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  static void register() {
    ZoneRulesProvider.registerProvider(new Zones());
  }

  @AfterEach
  void removeRoots() {
    lacking = false;
    List.copyOf(HEAP.names()).forEach(HEAP::remove);
  }

  @AfterAll
  static void close() {
    HEAP.close();
  }

  static Stream<Kind> removable() {
    Codec<ZoneId> zone = Codecs.ZONE_ID;
    return Stream.of(
        new Kind(
            "map",
            bad ->
                HEAP.root("root", DurableMap.of(Codecs.LONG, zone))
                    .putAll(Map.of(1L, bad, 2L, KNOWN)),
            List.of(1L)),
        new Kind(
            "sorted map",
            bad ->
                HEAP.root("root", DurableSortedMap.of(Codecs.LONG, zone))
                    .putAll(Map.of(1L, bad, 2L, KNOWN, 3L, bad)),
            List.of(1L, 3L)),
        new Kind(
            "set",
            bad -> HEAP.root("root", DurableSet.of(zone)).addAll(List.of(bad, KNOWN)),
            List.of(ID)),
        new Kind(
            "list",
            bad -> HEAP.root("root", DurableList.of(zone)).addAll(List.of(KNOWN, bad, bad)),
            List.of(1L, 2L)),
        new Kind(
            "deque",
            bad -> HEAP.root("root", DurableDeque.of(zone, 3)).addAll(List.of(bad, KNOWN, bad)),
            List.of(0L, 2L)),
        new Kind(
            "priority queue",
            bad ->
                HEAP.root("root", DurablePriorityQueue.of(zone, BY_ID)).addAll(List.of(bad, KNOWN)),
            List.of(1L)),
        new Kind(
            "array",
            bad -> HEAP.root("root", DurableArray.of(zone, 3)).fill(1, 3, bad),
            List.of(1L, 2L)),
        new Kind(
            "reference",
            bad -> HEAP.root("root", DurableReference.of(zone)).set(bad),
            List.of(0L)));
  }

  static Stream<Kind> notRemovable() {
    Codec<ZoneId> zone = Codecs.ZONE_ID;
    return Stream.of(
        new Kind(
            "work queue",
            bad -> HEAP.root("root", DurableWorkQueue.of(zone)).addAll(List.of(KNOWN, bad)),
            List.of(1L)),
        new Kind(
            "sorted map with a comparator",
            bad ->
                HEAP.root("root", DurableSortedMap.of(Codecs.LONG, zone, DOWN))
                    .putAll(Map.of(1L, bad, 2L, KNOWN, 3L, bad)),
            List.of(3L, 1L)),
        new Kind(
            "sorted set with a comparator",
            bad -> HEAP.root("root", DurableSortedSet.of(zone, BY_ID)).addAll(List.of(bad, KNOWN)),
            List.of(ID)));
  }

  @ParameterizedTest
  @MethodSource("removable")
  void aKindWhoseEntriesCanBeRemoved(Kind kind) {
    make(kind);
    assertThat(positions()).isEqualTo(kind.positions);
    HEAP.transact(
        () -> {
          for (Iterator<Undecodable> bad = HEAP.undecodable("root"); bad.hasNext(); ) {
            assertThat(bad.next().type()).isEqualTo(Codecs.ZONE_ID.name());
            bad.remove();
          }
        });
    assertThat(positions()).isEmpty();
    assertThat(HEAP.entries("root").map(Map.Entry::getValue))
        .isSubsetOf(KNOWN)
        .hasSameSizeAs(kind.name.matches("array|reference") ? List.of() : List.of(KNOWN));
    assertThat(HEAP.verify().ok()).isTrue();
  }

  @ParameterizedTest
  @MethodSource("notRemovable")
  void aKindWhoseEntriesOnlyTheProgramRemoves(Kind kind) {
    make(kind);
    assertThat(positions()).isEqualTo(kind.positions);
    Iterator<Undecodable> bad = HEAP.undecodable("root");
    Undecodable first = bad.next();
    assertThat(new String(first.bytes(), StandardCharsets.UTF_8)).contains(ID);
    assertThatThrownBy(bad::remove).isInstanceOf(UnsupportedOperationException.class);
    assertThat(positions()).isEqualTo(kind.positions);
  }

  @Test
  void aKeyThatDoesNotDecodeComesWithTheBytesOfItsValue() {
    HEAP.root("root", DurableMap.of(Codecs.ZONE_ID, Codecs.STRING)).put(zone(), "value");
    HEAP.root("sorted", DurableSortedMap.of(Codecs.ZONE_ID, Codecs.STRING, BY_ID))
        .put(zone(), "value");
    HEAP.root("set", DurableSet.of(Codecs.ZONE_ID)).add(zone());
    lacking = true;
    for (String root : List.of("root", "sorted")) {
      Undecodable found = HEAP.undecodable(root).next();
      assertThat(found.position()).isEqualTo(found.bytes());
      assertThat(new String(found.value(), StandardCharsets.UTF_8)).contains("value");
    }
    assertThat(HEAP.undecodable("set").next().value()).isEmpty();
  }

  @Test
  void aRootOfNumbersHasNone() {
    HEAP.root("root", DurableCounter.of()).add(1);
    assertThat(HEAP.undecodable("root").hasNext()).isFalse();
  }

  @Test
  void aTypeThatOnlyTheProgramKnowsIsRefused() {
    HEAP.root("root", DurableList.of(new OwnCodec())).add(1);
    assertThatThrownBy(() -> HEAP.undecodable("root")).isInstanceOf(UnsupportedTypeException.class);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HEAP.undecodable("none"))
        .withMessageContaining("none");
  }

  @SuppressWarnings("InvalidZoneId") // this test registers it
  private static ZoneId zone() {
    return ZoneId.of(ID);
  }

  private static void make(Kind kind) {
    kind.make.accept(zone());
    lacking = true;
  }

  /** The positions of undecodable entries; bytes as the text that they end with. */
  private static List<Object> positions() {
    List<Object> positions = new ArrayList<>();
    HEAP.undecodable("root")
        .forEachRemaining(
            found -> positions.add(found.position() instanceof byte[] ? ID : found.position()));
    return positions;
  }
}
