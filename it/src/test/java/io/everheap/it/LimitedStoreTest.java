package io.everheap.it;

import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store of eight shards in control groups that have less memory than its values take. */
@Processes
class LimitedStoreTest {
  private static final int VALUES = 450_000; // of 1,000 bytes

  @TempDir private Path temp;

  @ParameterizedTest
  @ValueSource(ints = {512, 400, 256})
  void aStoreIsLargerThanItsControlGroup(int mebibytes) throws Exception {
    String directory = temp.resolve("store").toString();
    EnvironmentsTest.inControlGroup(
        mebibytes, limited -> EnvironmentsTest.memory(limited, "store", directory, VALUES));
  }
}
