package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands show, replace and remove values that name a time zone that this JVM lacks. */
class UndecodableValuesTest extends CheckedCommandFixture {
  @TempDir private Path temporary;
  private String heap = "";

  @BeforeEach
  void create() {
    heap = temporary.resolve("heap").toString();
    MissingZone.lack(false);
    ZoneId known = ZoneId.of("Europe/Rome");
    try (Heap open = Heap.builder(Path.of(heap)).open()) {
      open.root("map", DurableMap.of(Codecs.LONG, Codecs.ZONE_ID))
          .putAll(Map.of(1L, MissingZone.get(), 2L, known));
      open.root("list", DurableList.of(Codecs.ZONE_ID)).addAll(List.of(MissingZone.get(), known));
    }
    MissingZone.lack(true);
  }

  @AfterEach
  void haveAllZones() {
    MissingZone.lack(false);
  }

  @Test
  void oneCanBeShownReplacedAndRemoved() {
    run(1, "get", heap, "map", "1");
    assertThat(out.toString()).contains("undecodable", "root map", "zone-id", "bytes");
    run(0, "get", heap, "map", "2");
    run(1, "get", heap, "list", "0");
    run(0, "put", heap, "map", "1", "Europe/Paris");
    run(0, "get", heap, "map", "1");
    assertThat(out.toString()).contains("Europe/Paris");
    run(0, "remove", heap, "list", "0");
    assertThat(out.toString()).contains("undecodable");
    run(0, "get", heap, "list", "0");
    assertThat(out.toString()).contains("Europe/Rome");
    run(0, "export", heap);
  }

  @Test
  void anExportWritesTheOthersAndNamesIt() {
    run(1, "export", heap);
    assertThat(out.toString())
        .contains("\"entries\":1", "Europe/Rome")
        .doesNotContain(MissingZone.ID);
    assertThat(err.toString()).contains("the entry 1 of map", "the entry 0 of list", "undecodable");
    run(0, "list", heap, "map");
    run(0, "dump", heap, "--root", "map");
    assertThat(out.toString()).contains("undecodable", "Europe/Rome");
  }

  @Test
  void aCheckDoesNotCallItDamage() {
    run(0, "verify", heap);
    assertThat(out.toString()).contains("UNDECODABLE", "of map", "zone-id", "OK");
  }
}
