package io.everheap.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.benchmarks.cache.CacheBinding;
import io.everheap.benchmarks.cache.CachePeers;
import io.everheap.benchmarks.cache.TestedCache;
import io.everheap.benchmarks.cache.Trace;
import io.everheap.benchmarks.store.Peer;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every cache: what was put is found, and nothing else. */
class CacheBindingsTest {
  @TempDir Path directory;

  static Stream<Arguments> peers() {
    return CachePeers.ALL.stream()
        .filter(peer -> peer.artifact() != null)
        .map(peer -> Arguments.of(peer.name(), peer));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("peers")
  void aCacheHasWhatWasPut(String name, Peer peer) throws Exception {
    CacheBinding binding =
        Class.forName(peer.binding())
            .asSubclass(CacheBinding.class)
            .getDeclaredConstructor()
            .newInstance();
    byte[] value = new byte[1000];
    value[0] = 9;
    try (TestedCache cache = binding.open(new CacheBinding.Room(directory, 100, 100, 1000))) {
      cache.put(7, value);

      assertThat(cache.read(7)).isEqualTo(9);
      assertThat(cache.copy(7)).isEqualTo(value);
      assertThat(cache.read(8)).isEqualTo(TestedCache.MISS);
      assertThat(cache.copy(8)).isNull();
    }
  }

  @Test
  void aTraceOfTwoKeysHasTwoMissesInAnyPolicy() {
    Trace trace = new Trace("two keys", new int[] {1, 2, 1, 2, 1, 2, 1, 2}, 10, false);
    CaffeinePolicies policies = new CaffeinePolicies();

    assertThat(policies.names())
        .allSatisfy(policy -> assertThat(policies.hitPercent(policy, trace)).isEqualTo(75));
  }
}
