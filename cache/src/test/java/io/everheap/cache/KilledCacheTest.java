package io.everheap.cache;

import static io.everheap.cache.Caches.key;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Limit;
import io.everheap.support.Seeds;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process that puts, replaces and removes in several threads is killed again and again; the next
 * one finds what it said, and is warm. {@code -Deverheap.crash.rounds=N} sets how often.
 */
class KilledCacheTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 6);
  private static final long SEED = Seeds.seed();
  private static final int THREADS = 3;
  private static final int KEYS = 300;
  private static final long CAPACITY = 1 << 20;

  @TempDir Path directory;

  /** What a key may have: the number of a put, or 0 for none. A miss is always right. */
  private final Map<Integer, List<Long>> possible = new HashMap<>();

  private long last;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void nothingIsServedThatWasReplacedOrRemoved(boolean strict) throws Exception {
    Random random = new Random(SEED);
    long warm = 0;
    for (int round = 0; round < ROUNDS; round++) {
      workAndKill(strict, 1 + random.nextInt(4000), random.nextLong());
      try (BlockCache cache = open(directory, strict)) {
        cache.awaitIndexed();
        for (int key = 0; key < KEYS; key++) {
          warm += check(cache, key) ? 1 : 0;
        }
        assertThat(cache.stats().damaged()).as("seed %s", SEED).isZero();
      }
    }
    assertThat(warm).as("hits after kills").isPositive();
  }

  private boolean check(BlockCache cache, int key) {
    byte[] found = Caches.get(cache, key);
    if (found == null) {
      return false;
    }
    long number = ByteBuffer.wrap(found).getLong();
    assertThat(possible.getOrDefault(key, List.of()))
        .as("what key %s may have, seed %s", key, SEED)
        .contains(number);
    assertThat(found).isEqualTo(block(number));
    possible.put(key, new ArrayList<>(List.of(number)));
    return true;
  }

  private void workAndKill(boolean strict, int operations, long seed) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledCacheTest.class.getName(),
                directory.toString(),
                Boolean.toString(strict),
                Long.toString(seed),
                Long.toString(last))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Limit.guard(process, Duration.ofMinutes(10));
    try (BufferedReader said = process.inputReader(US_ASCII)) {
      int done = 0;
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        String[] words = line.split(" ", -1);
        if (words.length < 4 || !words[3].equals("end")) {
          continue; // the last line of a killed process may be cut
        }
        int key = Integer.parseInt(words[1]);
        long number = Long.parseLong(words[2]);
        last = Math.max(last, number);
        if (words[0].equals("before")) {
          possible.computeIfAbsent(key, k -> new ArrayList<>()).add(number);
        } else {
          possible.put(key, new ArrayList<>(List.of(number)));
          if (++done == operations) {
            process.toHandle().destroyForcibly(); // what it said can still be read
          }
        }
      }
    }
    Limit.waitFor(process);
    last += 1_000_000; // numbers of lines that were cut are not used again
  }

  private static BlockCache open(Path directory, boolean strict) {
    BlockCacheBuilder builder =
        BlockCache.builder(directory, CAPACITY).segmentSize(Caches.SEGMENT).onFile();
    return (strict ? builder.strict() : builder).open();
  }

  private static byte[] block(long number) {
    Random random = new Random(number);
    byte[] block = new byte[8 + random.nextInt(random.nextInt(10) == 0 ? 30_000 : 3000)];
    Arrays.fill(block, (byte) number);
    ByteBuffer.wrap(block).putLong(number);
    return block;
  }

  /** The process that is killed. */
  public static void main(String[] arguments) throws Exception {
    long seed = Long.parseLong(arguments[2]);
    long first = Long.parseLong(arguments[3]);
    try (BlockCache cache = open(Path.of(arguments[0]), Boolean.parseBoolean(arguments[1]))) {
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        threads.add(Thread.ofPlatform().start(() -> work(cache, seed, thread, first)));
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  /** Each thread has keys of its own, says what it is about to do, does it, and says so. */
  private static void work(BlockCache cache, long seed, int thread, long first) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    Random random = new Random(seed + thread);
    for (long i = 1; i < 200_000; i++) {
      int key = random.nextInt(KEYS / THREADS) * THREADS + thread;
      boolean removes = random.nextInt(4) == 0;
      long number = removes ? 0 : first + i * THREADS + thread;
      say(out, "before", key, number);
      if (removes) {
        cache.invalidate(key(key));
      } else {
        cache.put(key(key), block(number));
      }
      say(out, "after", key, number);
    }
  }

  private static void say(OutputStream out, String when, int key, long number) {
    try {
      out.write(String.format(Locale.ROOT, "%s %d %d end%n", when, key, number).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
