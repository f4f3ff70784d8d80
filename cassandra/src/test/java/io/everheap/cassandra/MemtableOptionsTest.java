package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.cassandra.exceptions.ConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parameters of a memtable configuration. */
class MemtableOptionsTest {
  @Test
  void takesWhatItKnows() {
    Map<String, String> given =
        new HashMap<>(
            Map.of("directory", "/data/x", "durability", "10ms", "shards", "7", "other", "1"));
    MemtableOptions options = MemtableOptions.take(given);
    assertThat(options)
        .isEqualTo(
            new MemtableOptions(
                Path.of("/data/x"),
                Durability.async(Duration.ofMillis(10)),
                7,
                Duration.ofMinutes(10)));
    assertThat(given).containsOnlyKeys("other");
    assertThat(new MemtableFactory(options)).isEqualTo(new MemtableFactory(options));
  }

  @Test
  void isDurableWithoutBeingAsked() {
    assertThat(MemtableOptions.take(new HashMap<>(Map.of("directory", "x"))).durability())
        .isEqualTo(Durability.SYNC);
  }

  @ParameterizedTest
  @CsvSource({"durability,never", "shards,0", "shards,many", "shards,257", "purge_period,0ms"})
  void refusesWhatIsWrong(String name, String value) {
    Map<String, String> given = new HashMap<>(Map.of("directory", "x", name, value));
    assertThatThrownBy(() -> MemtableOptions.take(given))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(name)
        .hasMessageContaining(value);
  }
}
