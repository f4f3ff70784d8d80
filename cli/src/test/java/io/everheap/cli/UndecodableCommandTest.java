package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.codec.Codec;
import io.everheap.codec.CodecInput;
import io.everheap.codec.CodecOutput;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableArray;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.DurableReference;
import io.everheap.collection.DurableSet;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.KeyOrder;
import io.everheap.encryption.KeyProvider;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code undecodable} lists what names a time zone that this JVM lacks, and sets it aside. */
@Campaign
class UndecodableCommandTest extends CheckedCommandFixture {
  private static final ZoneId KNOWN = ZoneId.of("Europe/Rome");
  private static final KeyOrder<ZoneId> BY_ID =
      KeyOrder.of("test.id", Comparator.comparing(ZoneId::getId));

  /** A codec that commands know by its name only. */
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

  @TempDir private Path temporary;
  private String heap = "";
  private Path file = Path.of("");

  @BeforeEach
  void create() {
    heap = temporary.resolve("heap").toString();
    file = temporary.resolve("aside.jsonl");
    MissingZone.lack(false);
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      ZoneId bad = MissingZone.get();
      List<ZoneId> three = List.of(bad, KNOWN, bad);
      open.root("map", DurableMap.of(Codecs.LONG, Codecs.ZONE_ID))
          .putAll(Map.of(1L, bad, 2L, KNOWN));
      open.root("keys", DurableMap.of(Codecs.ZONE_ID, Codecs.STRING))
          .putAll(Map.of(bad, "a", KNOWN, "b"));
      open.root("set", DurableSet.of(Codecs.ZONE_ID)).addAll(List.of(bad, KNOWN));
      open.root("list", DurableList.of(Codecs.ZONE_ID)).addAll(three);
      open.root("deque", DurableDeque.of(Codecs.ZONE_ID, 9)).addAll(three);
      open.root("priorities", DurablePriorityQueue.of(Codecs.ZONE_ID, BY_ID)).addAll(three);
      open.root("array", DurableArray.of(Codecs.ZONE_ID, 2)).set(1, bad);
      open.root("reference", DurableReference.of(Codecs.ZONE_ID)).set(bad);
      open.map("sound", String.class, Long.class).put("a", 1L);
    }
    MissingZone.lack(true);
  }

  @AfterEach
  void haveAllZones() {
    MissingZone.lack(false);
  }

  @Test
  void everyUndecodableEntryIsListed() {
    run(0, "undecodable", heap);
    assertThat(out.toString().lines())
        .hasSize(11)
        .allMatch(line -> line.contains(", zone-id: ") && line.contains(MissingZone.ID))
        .anyMatch(line -> line.startsWith("map, 1, zone-id: "))
        .anyMatch(line -> line.startsWith("keys, a key, zone-id: "))
        .anyMatch(line -> line.startsWith("set, an element, zone-id: "))
        .anyMatch(line -> line.startsWith("deque, 2, zone-id: "))
        .anyMatch(line -> line.startsWith("array, 1, zone-id: "));
    run(0, "undecodable", heap, "deque");
    assertThat(out.toString().lines()).hasSize(2).allMatch(line -> line.startsWith("deque, "));
    run(0, "undecodable", heap, "sound");
    assertThat(out.toString()).isEqualToIgnoringNewLines("No undecodable entries.");
    run(1, "undecodable", heap, "none");
    assertThat(err.toString()).contains("none");
  }

  @Test
  void jsonHasTheStoredBytes() throws IOException {
    run(0, "undecodable", heap, "list", "--json");
    List<?> positions = out.toString().lines().map(line -> parsed(line).get("key")).toList();
    assertThat(positions.toString()).isEqualTo("[0, 2]");
    run(0, "undecodable", heap, "map", "--json");
    Map<?, ?> value = (Map<?, ?>) parsed(out.toString()).get("value");
    assertThat(value.keySet().toString()).isEqualTo("[undecodable, type, bytes]");
    run(1, "get", heap, "map", "1");
    assertThat(JsonTree.parse(out.toString())).isEqualTo(value);
    run(0, "undecodable", heap, "set", "--json");
    assertThat(parsed(out.toString()).keySet().toString()).isEqualTo("[root, value]");
    run(0, "undecodable", heap, "keys", "--json");
    Map<?, ?> entry = parsed(out.toString());
    assertThat(((Map<?, ?>) entry.get("key")).keySet().toString())
        .isEqualTo("[undecodable, type, bytes]");
    assertThat(((Map<?, ?>) entry.get("value")).keySet().toString()).isEqualTo("[type, bytes]");
    run(0, "undecodable", heap, "sound", "--json");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aKeyThatHasTheBytesOfItsValueIsNotTakenForUndecodable() throws IOException {
    byte[] stored;
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      stored = open.undecodable("map").next().bytes();
      MissingZone.lack(false);
      open.root("bytes", DurableMap.of(Codecs.BYTES, Codecs.ZONE_ID))
          .put(stored, MissingZone.get());
      open.root("sorted bytes", DurableSortedMap.of(Codecs.BYTES, Codecs.ZONE_ID))
          .put(stored, MissingZone.get());
      open.root("same", DurableMap.of(Codecs.ZONE_ID, Codecs.ZONE_ID))
          .put(MissingZone.get(), KNOWN);
      MissingZone.lack(true);
    }
    String base64 = Base64.getEncoder().encodeToString(stored);
    for (String root : List.of("bytes", "sorted bytes")) {
      run(0, "undecodable", heap, root, "--json");
      Map<?, ?> entry = parsed(out.toString());
      assertThat(entry.get("key")).isEqualTo(base64);
      assertThat(((Map<?, ?>) entry.get("value")).get("bytes")).isEqualTo(base64);
      run(0, "undecodable", heap, root);
      assertThat(out.toString()).doesNotContain("a key");
    }
    run(0, "undecodable", heap, "same");
    assertThat(out.toString()).contains("same, a key, ");
  }

  @Test
  void theFileCanLieInTheHeapAndALinkIsNotFollowed() throws IOException {
    Path link = temporary.resolve("link");
    Files.createSymbolicLink(link, temporary.resolve("target"));
    run(1, "undecodable", heap, "--set-aside", link.toString());
    assertThat(err.toString()).contains("exists; nothing was changed");
    assertThat(temporary.resolve("target")).doesNotExist();
    Path inside = Path.of(heap, "aside.jsonl");
    run(0, "undecodable", heap, "--set-aside", inside.toString());
    assertThat(Files.readAllLines(inside)).hasSize(11);
    run(0, "verify", heap);
  }

  @Test
  void allEntriesCanBeSetAside() throws IOException {
    run(0, "undecodable", heap, "--json");
    String listed = out.toString();
    run(0, "undecodable", heap, "--set-aside", file.toString());
    assertThat(out.toString()).contains("list: 2 set aside", "map: 1 set aside");
    assertThat(Files.readString(file)).isEqualToNormalizingNewlines(listed);
    assertThat(Files.getPosixFilePermissions(file))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    run(0, "undecodable", heap);
    assertThat(out.toString()).contains("No undecodable entries.");
    run(0, "verify", heap);
    for (String root : List.of("map", "keys", "set", "list", "deque", "priorities")) {
      run(0, "dump", heap, "--root", root);
      assertThat(out.toString().lines()).as(root).hasSize(1).first().asString().contains("Rome");
    }
    for (String root : List.of("array", "reference")) {
      run(0, "dump", heap, "--root", root);
      assertThat(out.toString()).as(root).isEmpty();
    }
  }

  @Test
  void theEntriesOfOneRootCanBeSetAside() throws IOException {
    run(0, "undecodable", heap, "deque", "--set-aside", file.toString(), "--json");
    assertThat(parsed(out.toString()).toString()).isEqualTo("{root=deque, setAside=2}");
    assertThat(Files.readAllLines(file)).hasSize(2);
    run(0, "undecodable", heap);
    assertThat(out.toString().lines()).hasSize(9).noneMatch(line -> line.startsWith("deque"));
  }

  @Test
  void elementsOfAWorkQueueAreNamedAndStay() throws IOException {
    MissingZone.lack(false);
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      open.root("work", DurableWorkQueue.of(Codecs.ZONE_ID)).addAll(List.of(MissingZone.get()));
    }
    MissingZone.lack(true);
    run(0, "undecodable", heap, "work");
    assertThat(out.toString()).startsWith("work, 0, zone-id: ");
    run(1, "undecodable", heap, "work", "--set-aside", file.toString());
    assertThat(err.toString()).contains("work is left as it is", "work queue");
    assertThat(file).doesNotExist();
    run(1, "undecodable", heap, "--set-aside", file.toString());
    assertThat(Files.readAllLines(file)).hasSize(11).noneMatch(line -> line.contains("work"));
    run(0, "undecodable", heap);
    assertThat(out.toString().lines()).hasSize(1).allMatch(line -> line.startsWith("work, 0"));
  }

  @Test
  void rootsThatOnlyTheProgramCanUseAreNamedAndTheOthersAreMoved() throws IOException {
    MissingZone.lack(false);
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      open.root("own", DurableList.of(new OwnCodec())).add(1);
      open.root("ordered", DurableSortedMap.of(Codecs.ZONE_ID, Codecs.STRING, BY_ID))
          .put(MissingZone.get(), "a");
    }
    MissingZone.lack(true);
    run(1, "undecodable", heap);
    assertThat(err.toString()).contains("own is left as it is", "test.Own");
    assertThat(out.toString().lines()).hasSize(12).anyMatch(line -> line.startsWith("ordered, "));
    run(1, "undecodable", heap, "--set-aside", file.toString());
    assertThat(err.toString()).contains("own is left as it is", "ordered is left as it is");
    assertThat(Files.readAllLines(file)).hasSize(11);
    run(0, "undecodable", heap, "ordered");
    assertThat(out.toString()).startsWith("ordered, a key, zone-id: ");
  }

  @Test
  void nothingIsChangedIfTheFileCannotBeMade() throws IOException {
    run(0, "undecodable", heap);
    String before = out.toString();
    Files.writeString(file, "mine");
    run(1, "undecodable", heap, "--set-aside", file.toString());
    assertThat(err.toString()).contains("exists; nothing was changed");
    assertThat(file).hasContent("mine");
    run(1, "undecodable", heap, "--set-aside", temporary.resolve("no/file").toString());
    assertThat(err.toString()).contains("no/file");
    run(1, "undecodable", heap, "none", "--set-aside", temporary.resolve("new").toString());
    assertThat(temporary.resolve("new")).doesNotExist();
    run(0, "undecodable", heap);
    assertThat(out.toString()).isEqualTo(before);
  }

  @Test
  void theFileHasTheEntriesBeforeTheHeapLosesThem() throws IOException {
    try (Heap open = Heap.builder(Path.of(heap)).open();
        SetAsideFile lines = SetAsideFile.create(file)) {
      SetAside setAside = new SetAside(open, lines);
      Root root = open.roots().stream().filter(r -> r.name().equals("list")).findFirst().get();
      assertThatThrownBy(
              () ->
                  open.transact(
                      () -> {
                        assertThat(setAside.move(root)).isEqualTo(2);
                        assertThat(Files.readAllLines(file)).hasSize(2);
                        throw new IOException("killed");
                      }))
          .hasMessage("killed");
      assertThat(open.undecodable("list").hasNext()).isTrue();
    }
    assertThat(Files.readAllLines(file)).hasSize(2);
  }

  @Test
  void aFailedWriteLeavesTheHeapAsItWas() throws IOException {
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      SetAsideFile lines = SetAsideFile.create(file);
      lines.close();
      SetAside setAside = new SetAside(open, lines);
      for (Root root : open.roots()) {
        boolean sound = root.name().equals("sound");
        if (!sound) {
          assertThatThrownBy(() -> setAside.move(root)).isInstanceOf(IOException.class);
        }
        assertThat(open.undecodable(root.name()).hasNext()).isEqualTo(!sound);
      }
    }
  }

  @Test
  void aHeapWithoutAnyMakesNoFile() {
    String sound = temporary.resolve("sound").toString();
    try (Heap open = Heap.builder(Path.of(sound)).open()) {
      open.map("map", String.class, Long.class).put("a", 1L);
    }
    run(0, "undecodable", sound);
    assertThat(out.toString()).contains("No undecodable entries.");
    run(0, "undecodable", sound, "--set-aside", file.toString());
    assertThat(out.toString()).contains("No undecodable entries.");
    assertThat(file).doesNotExist();
    run(1, "undecodable", temporary.resolve("missing").toString(), "--set-aside", file.toString());
    assertThat(temporary.resolve("missing")).doesNotExist();
    assertThat(file).doesNotExist();
  }

  @Test
  void anEncryptedHeapNeedsItsKey() throws IOException {
    MissingZone.lack(false);
    Path key = Files.writeString(temporary.resolve("key"), "7a".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    String source = "file:" + key;
    String secret = temporary.resolve("secret").toString();
    try (Heap open = Heap.builder(Path.of(secret)).encrypt(KeyProvider.from(source)).open()) {
      open.root("deque", DurableDeque.of(Codecs.ZONE_ID)).add(MissingZone.get());
    }
    MissingZone.lack(true);
    run(1, "undecodable", secret);
    run(0, "undecodable", secret, "--key", source);
    assertThat(out.toString()).startsWith("deque, 0, ");
    run(0, "undecodable", secret, "--key", source, "--set-aside", file.toString());
    assertThat(Files.readAllLines(file)).hasSize(1);
    run(0, "undecodable", secret, "--key", source);
    assertThat(out.toString()).contains("No undecodable entries.");
  }

  private static Map<?, ?> parsed(String line) {
    return (Map<?, ?>) JsonTree.parse(line);
  }
}
