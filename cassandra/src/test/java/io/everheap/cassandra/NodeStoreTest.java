package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.store.ShardedStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeStoreTest {
  @TempDir Path directory;

  /** Each further table was refused until the node was started again. */
  @Test
  void aStoreThatCannotBeUsedIsNotLeftOpen() {
    Map<String, String> options =
        new HashMap<>(Map.of("directory", directory.toString(), "shards", "2"));
    MemtableOptions taken = MemtableOptions.take(options);
    // Without a node there is no data directory for the mark.
    assertThatThrownBy(() -> NodeStore.of(taken)).isInstanceOf(NullPointerException.class);
    ShardedStore.open(directory).close();
  }
}
