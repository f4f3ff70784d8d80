package io.everheap.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import io.everheap.support.tier.Processes;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that commits batches across shards in several threads, while another one changes the
 * number of shards, is killed again and again. Each batch that it acknowledged is there, and none
 * by half. {@code -Deverheap.crash.rounds=N} sets how often.
 */
@Processes
class KilledStoreTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 3);
  private static final long SEED = Seeds.seed();
  private static final int THREADS = 3;
  private static final int KEYS = 8;

  @TempDir Path directory;

  /** The last value that a thread began to write, and the last one that was acknowledged. */
  private final long[] begun = new long[THREADS];

  private final long[] done = new long[THREADS];

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyAcknowledgedBatchIsThere(boolean sync) throws Exception {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      workAndKill(sync, 1 + random.nextInt(sync ? 100 : 3000), random.nextLong());
      try (ShardedStore store = open(directory, sync)) {
        ShardedMap<Integer, Long> map = store.map("map", Integer.class, Long.class);
        ShardedSortedMap<Integer, Long> sorted =
            store.sortedMap("sorted", Integer.class, Long.class);
        for (int thread = 0; thread < THREADS; thread++) {
          List<Long> values = new ArrayList<>();
          for (int i = 0; i < KEYS; i++) {
            values.add(map.getOrDefault(thread * KEYS + i, 0L));
            values.add(sorted.getOrDefault(thread * KEYS + i, 0L));
          }
          assertThat(values).as("seed %s", SEED).containsOnly(values.getFirst());
          assertThat(values.getFirst()).as("seed %s", SEED).isBetween(done[thread], begun[thread]);
          done[thread] = values.getFirst();
        }
        assertThat(store.verify().ok()).isTrue();
      }
    }
    assertThat(done).doesNotContain(0);
  }

  private void workAndKill(boolean sync, int batches, long seed) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledStoreTest.class.getName(),
                directory.toString(),
                Boolean.toString(sync),
                Long.toString(seed)));
    for (int thread = 0; thread < THREADS; thread++) {
      begun[thread] += 1000; // numbers of lines that were cut are not used again
      command.add(Long.toString(begun[thread]));
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Limit.guard(process, Duration.ofMinutes(10));
    try (BufferedReader said = process.inputReader(US_ASCII)) {
      int acknowledged = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        String[] words = line.split(" ", -1);
        if (words.length < 4 || !words[3].equals("end")) {
          continue; // the last line of a killed process may be cut
        }
        int thread = Integer.parseInt(words[1]);
        long number = Long.parseLong(words[2]);
        if (words[0].equals("before")) {
          begun[thread] = number;
        } else {
          done[thread] = number;
          if (++acknowledged >= batches && done[0] * done[1] * done[2] != 0) {
            process.toHandle().destroyForcibly(); // what it said can still be read
          }
        }
      }
    }
    Limit.waitFor(process);
  }

  private static ShardedStore open(Path directory, boolean sync) {
    Durability durability = sync ? Durability.SYNC : Durability.async(Duration.ofMillis(10));
    return ShardedStore.builder(directory).shards(2).durability(durability).open();
  }

  /** The process that is killed. */
  public static void main(String[] arguments) throws Exception {
    ShardedStore store = open(Path.of(arguments[0]), Boolean.parseBoolean(arguments[1]));
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      long first = Long.parseLong(arguments[3 + thread]);
      Thread.ofPlatform().start(() -> work(store, thread, first));
    }
    Random random = new Random(Long.parseLong(arguments[2]));
    while (true) {
      store.reshard(1 + random.nextInt(4));
    }
  }

  private static void work(ShardedStore store, int thread, long first) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    ShardedMap<Integer, Long> map = store.map("map", Integer.class, Long.class);
    ShardedSortedMap<Integer, Long> sorted = store.sortedMap("sorted", Integer.class, Long.class);
    for (long number = first + 1; ; number++) {
      say(out, "before", thread, number);
      StoreBatch batch = store.batch();
      for (int i = 0; i < KEYS; i++) {
        batch.put(map, thread * KEYS + i, number).put(sorted, thread * KEYS + i, number);
      }
      batch.commit();
      say(out, "after", thread, number);
    }
  }

  private static void say(OutputStream out, String when, int thread, long number) {
    try {
      out.write(
          String.format(Locale.ROOT, "%s %d %d end%n", when, thread, number).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
