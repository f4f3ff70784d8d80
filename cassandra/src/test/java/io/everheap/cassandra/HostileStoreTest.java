package io.everheap.cassandra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.store.ShardedStore;
import java.nio.file.Path;
import java.util.Random;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts and partitions in a store that no memtable wrote. */
class HostileStoreTest {
  private static final int INPUTS = 2_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"x", "1,,x", "99999999999", "1,-", "0", "-1"})
  void aListOfGenerationsThatIsNoneIsDamage(String list) {
    try (ShardedStore store = ShardedStore.builder(directory).shards(1).open()) {
      Generations generations = new Generations(store);
      store.map("everheap.tables", String.class, String.class).put("1/t", list);
      assertThatThrownBy(() -> generations.begin("1/t", false))
          .isInstanceOf(CorruptException.class)
          .hasMessageContaining("1/t");
    }
  }

  @Test
  void randomBytesAreDamageOrAPartition() {
    DatabaseDescriptor.clientInitialization();
    TableMetadata table =
        TableMetadata.builder(
                "keyspace", "table", TableId.fromString("00000000-0000-0000-0000-000000000001"))
            .partitioner(Murmur3Partitioner.instance)
            .addPartitionKeyColumn("k", Int32Type.instance)
            .addClusteringColumn("c", UTF8Type.instance)
            .addRegularColumn("v", ListType.getInstance(Int32Type.instance, true))
            .build();
    Random random = new Random(1);
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 0) {
        bytes[0] = (byte) (i % 2 == 0 ? 15 : random.nextInt());
      }
      if (bytes.length > 8) { // a short key, or all would end there
        bytes[1] = 0;
        bytes[2] = 4;
      }
      try {
        StoredPartition _ = StoredPartition.decode(table, bytes);
      } catch (CorruptException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(INPUTS / 2); // some are a partition without rows
  }
}
