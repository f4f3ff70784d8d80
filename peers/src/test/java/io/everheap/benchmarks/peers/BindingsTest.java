package io.everheap.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.everheap.benchmarks.encryption.EncryptedStoresPart;
import io.everheap.benchmarks.store.Conformance;
import io.everheap.benchmarks.store.Mode;
import io.everheap.benchmarks.store.Peer;
import io.everheap.benchmarks.store.Peers;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every peer in every mode: read after write, close, kill, bulk load. */
class BindingsTest {
  @TempDir Path directory;

  static Stream<Arguments> modes() {
    return Stream.concat(Peers.ALL.stream(), EncryptedStoresPart.ALL.stream())
        .filter(peer -> peer.artifact() != null)
        .flatMap(peer -> peer.modes().stream().map(mode -> Arguments.of(peer.name(), mode, peer)));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("modes")
  void aStoreKeepsWhatItsModePromises(String name, Mode mode, Peer peer) {
    assertThatCode(() -> new Conformance(directory, directory.resolve("store"), peer, mode).run())
        .doesNotThrowAnyException();
  }
}
