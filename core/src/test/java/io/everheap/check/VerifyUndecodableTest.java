package io.everheap.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.codec.Codecs;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.collection.Undecodable;
import io.everheap.report.VerifyReport;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A check reports values that this JVM lacks the time zone of, but not as damage. */
class VerifyUndecodableTest {
  private static boolean lacking;

  private static final class Zones extends ZoneRulesProvider {
    private static final String ID = "Test/Elysium";

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

  @Test
  @SuppressWarnings("InvalidZoneId") // the test registers it
  void soundBytesThatThisJvmCannotDecodeAreNoDamage() {
    ZoneRulesProvider.registerProvider(new Zones());
    lacking = false;
    ZoneId zone = ZoneId.of(Zones.ID);
    ZoneId known = ZoneId.of("Europe/Rome");
    try (Heap heap = Heap.inMemory()) {
      heap.root("map", DurableMap.of(Codecs.LONG, Codecs.ZONE_ID)).putAll(Map.of(1L, zone));
      heap.root("sorted", DurableSortedMap.of(Codecs.LONG, Codecs.ZONE_ID)).put(2L, zone);
      heap.root("list", DurableList.of(Codecs.ZONE_ID)).addAll(List.of(zone, known));
      lacking = true;
      VerifyReport report = heap.verify();
      assertThat(report.ok()).isTrue();
      assertThat(report.problems()).isEmpty();
      assertThat(report.foundUndecodable()).isEqualTo(3);
      assertThat(report.undecodable())
          .extracting(VerifyReport.Problem::root, VerifyReport.Problem::key)
          .containsExactlyInAnyOrder(
              org.assertj.core.api.Assertions.tuple("map", "1"),
              org.assertj.core.api.Assertions.tuple("sorted", "2"),
              org.assertj.core.api.Assertions.tuple("list", "0"));
      assertThat(report.undecodable().getFirst().message())
          .contains("zone-id", "Unknown time-zone ID");
      List<Object> shown = heap.entries("list").map(Map.Entry::getValue).toList();
      assertThat(shown.getFirst()).isInstanceOf(Undecodable.class);
      assertThat(shown.get(1)).isEqualTo(known);
    } finally {
      lacking = false;
    }
  }
}
