package io.everheap.benchmarks.store;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.everheap.benchmarks.encryption.EncryptedStoresPart;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The bindings that need no other jars. LLPL's needs native libraries, and is tried by its runs.
 */
@Campaign
class OwnBindingsTest {
  @TempDir Path directory;

  static Stream<Arguments> modes() {
    return Stream.concat(Peers.ALL.stream(), EncryptedStoresPart.ALL.stream())
        .filter(peer -> peer.artifact() == null && !peer.name().equals("llpl"))
        .flatMap(
            peer ->
                peer.modes().stream()
                    .filter(mode -> mode != Mode.EMULATED)
                    .map(mode -> Arguments.of(peer.name(), mode, peer)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("modes")
  void aStoreKeepsWhatItsModePromises(String name, Mode mode, Peer peer) {
    assertThatCode(() -> new Conformance(directory, directory.resolve("store"), peer, mode).run())
        .doesNotThrowAnyException();
  }
}
