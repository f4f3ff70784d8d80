package io.everheap.cli;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A time zone that this JVM has, and then lacks: values that name it do not decode. */
final class MissingZone {
  static final String ID = "Test/Arcadia";

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

  static {
    ZoneRulesProvider.registerProvider(new Zones());
  }

  private MissingZone() {}

  /** The zone, while the JVM has it. */
  @SuppressWarnings("InvalidZoneId") // this class registers it
  static ZoneId get() {
    return ZoneId.of(ID);
  }

  /** Makes the JVM have the zone, or lack it. */
  static void lack(boolean lack) {
    lacking = lack;
  }
}
