package io.everheap.jcache;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.configuration.MutableConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that changes entries in several threads is killed again and again, also while it still
 * looks for those of the one before; what it said that it did is so. {@code
 * -Deverheap.crash.rounds=N} sets how often.
 */
@Processes
class KilledWorkloadTest {
  private static final int ROUNDS = Integer.getInteger("everheap.crash.rounds", 5);
  private static final long SEED = Seeds.seed();
  private static final int THREADS = 3;
  private static final int KEYS = 300;

  @TempDir Path directory;

  /** What a key may have: the number of a put, or 0 for none. */
  private final Map<Integer, List<Long>> possible = new HashMap<>();

  private long last;

  @Test
  void whatWasDoneBeforeAKillIsDone() throws Exception {
    Random random = new Random(SEED);
    for (int key = 0; key < KEYS; key++) {
      possible.put(key, List.of(0L));
    }
    for (int round = 0; round < ROUNDS; round++) {
      workAndKill(1 + random.nextInt(3000), random.nextLong());
      try (var provider = new EverheapCachingProvider()) {
        Cache<Integer, Long> cache = open(provider, directory);
        Map<Integer, Long> found = new HashMap<>();
        cache.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
        for (int key = 0; key < KEYS; key++) {
          long number = found.getOrDefault(key, 0L);
          assertThat(possible.get(key)).as("key %s, seed %s", key, SEED).contains(number);
          possible.put(key, List.of(number));
        }
      }
    }
  }

  private static Cache<Integer, Long> open(EverheapCachingProvider provider, Path directory) {
    return provider
        .getCacheManager(null, null, Caches.properties(directory))
        .createCache(
            "numbers",
            new MutableConfiguration<Integer, Long>().setTypes(Integer.class, Long.class));
  }

  private void workAndKill(int operations, long seed) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWorkloadTest.class.getName(),
                directory.toString(),
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
          List<Long> more = new ArrayList<>(possible.get(key));
          more.add(number);
          possible.put(key, more);
        } else {
          possible.put(key, List.of(number));
          if (++done == operations) {
            process.toHandle().destroyForcibly(); // what it said can still be read
          }
        }
      }
    } finally {
      process.destroyForcibly();
      Limit.waitFor(process);
    }
    last += 1_000_000; // numbers of lines that were cut are not used again
  }

  /** The process that is killed. */
  public static void main(String[] arguments) throws Exception {
    long seed = Long.parseLong(arguments[1]);
    long first = Long.parseLong(arguments[2]);
    try (var provider = new EverheapCachingProvider()) {
      Cache<Integer, Long> cache = open(provider, Path.of(arguments[0]));
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
  private static void work(Cache<Integer, Long> cache, long seed, int thread, long first) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    Random random = new Random(seed + thread);
    for (long i = 1; i < 100_000; i++) {
      int key = random.nextInt(KEYS / THREADS) * THREADS + thread;
      int operation = random.nextInt(8);
      boolean removes = operation < 4;
      long number = removes ? 0 : first + i * THREADS + thread;
      say(out, "before", key, number);
      if (removes) {
        remove(cache, operation, key);
      } else {
        put(cache, operation, key, number);
      }
      say(out, "after", key, number);
    }
  }

  private static void remove(Cache<Integer, Long> cache, int operation, int key) {
    switch (operation) {
      case 0 -> {
        boolean _ = cache.remove(key);
      }
      case 1 -> {
        Long _ = cache.getAndRemove(key);
      }
      case 2 -> cache.removeAll(Set.of(key));
      default ->
          cache.invoke(
              key,
              (entry, none) -> {
                entry.remove();
                return null;
              });
    }
  }

  private static void put(Cache<Integer, Long> cache, int operation, int key, long number) {
    switch (operation) {
      case 4 -> cache.put(key, number);
      case 5 -> {
        Long _ = cache.getAndPut(key, number);
      }
      case 6 -> cache.putAll(Map.of(key, number));
      default ->
          cache.invoke(
              key,
              (entry, none) -> {
                entry.setValue(number);
                return null;
              });
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
