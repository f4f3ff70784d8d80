package io.everheap.benchmarks.cache;

import com.sun.management.OperatingSystemMXBean;
import io.everheap.benchmarks.harness.Curve;
import io.everheap.benchmarks.harness.Subject;
import io.everheap.benchmarks.harness.Threads;
import io.everheap.benchmarks.store.Footprint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A cache in a JVM of its own, in front of a source that is slow.
 *
 * <p>Requests: {@code fill} makes the cache and puts all values; {@code run DISTRIBUTION
 * FIXED_NANOS THREADS MILLIS} reads through it; {@code hits read|copy THREADS MILLIS} looks up what
 * is there; {@code start THREADS} reads through it without end and {@code run-on MILLIS} waits, so
 * that the parent can kill the process; {@code recover THREADS MILLIS} makes the cache and reads
 * through it, counted by tenths of a second from that call.
 */
public final class CacheSubject implements Subject {
  private static final double ZIPF = 0.99;
  private static final int LOADERS = 2;
  private static final int BATCH = 256;
  private static final long POLL_NANOS = 1_000_000;
  private static final double NANOS_PER_MICRO = 1e3;
  private static final double NANOS_PER_MILLI = 1e6;

  private @Nullable Map<String, String> parameters;
  private @Nullable TestedCache cache;
  private long seed; // another one for each client: a sequence of keys that comes again is no load

  /** Makes a subject whose cache is not open. */
  public CacheSubject() {}

  @Override
  public void open(Map<String, String> given) {
    parameters = given;
  }

  private String parameter(String name) {
    return Objects.requireNonNull(Objects.requireNonNull(parameters, "not open").get(name), name);
  }

  private int entries() {
    return Integer.parseInt(parameter("entries"));
  }

  private Source source() {
    return new Source(
        Long.parseLong(parameter("latency")), Integer.parseInt(parameter("valueBytes")));
  }

  private TestedCache cache() {
    return Objects.requireNonNull(cache, "not open");
  }

  private TestedCache openCache() throws IOException {
    CacheBinding binding;
    try {
      binding =
          Class.forName(parameter("binding"))
              .asSubclass(CacheBinding.class)
              .getDeclaredConstructor()
              .newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
    Path directory = Files.createDirectories(Path.of(parameter("directory")));
    TestedCache opened =
        binding.open(
            new CacheBinding.Room(
                directory,
                entries(),
                Long.parseLong(parameter("inHeap")),
                Integer.parseInt(parameter("valueBytes"))));
    cache = opened;
    return opened;
  }

  @Override
  public Map<String, Double> measure(String[] request) throws Exception {
    return switch (request[0]) {
      case "fill" -> fill();
      case "run" ->
          run(
              distribution(request[1]),
              Long.parseLong(request[2]),
              Integer.parseInt(request[3]),
              Long.parseLong(request[4]));
      case "hits" ->
          hits(request[1].equals("copy"), Integer.parseInt(request[2]), Long.parseLong(request[3]));
      case "start" -> start(Integer.parseInt(request[1]));
      case "run-on" -> {
        TimeUnit.MILLISECONDS.sleep(Long.parseLong(request[1]));
        yield Map.of();
      }
      case "recover" -> recover(Integer.parseInt(request[1]), Long.parseLong(request[2]));
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  private Distribution distribution(String name) {
    return name.equals("zipf")
        ? Distribution.zipf(entries(), ZIPF)
        : Distribution.uniform(entries());
  }

  /** Puts each value once, by several threads. */
  private Map<String, Double> fill() throws IOException, InterruptedException {
    Footprint before = Footprint.now();
    TestedCache filled = openCache();
    int valueBytes = source().valueBytes();
    int entries = entries();
    long[] longest = new long[LOADERS];
    long start = System.nanoTime();
    Map<String, Double> found = new HashMap<>();
    try (Hiccups hiccups = new Hiccups()) {
      List<Thread> loaders = new ArrayList<>();
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < LOADERS; i++) {
        int first = i;
        loaders.add(
            Thread.ofPlatform()
                .uncaughtExceptionHandler(
                    (thread, e) -> {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    })
                .start(
                    () -> {
                      for (long n = first; n < entries; n += LOADERS) {
                        byte[] value = Words.value(Distribution.key(n), valueBytes);
                        long begun = System.nanoTime();
                        filled.put(Distribution.key(n), value);
                        longest[first] = Math.max(longest[first], System.nanoTime() - begun);
                      }
                    }));
      }
      for (Thread loader : loaders) {
        loader.join();
      }
      if (!failures.isEmpty()) {
        throw new IllegalStateException("the cache failed: " + failures.getFirst());
      }
      found.put("machine", hiccups.millis());
    }
    found.put("seconds", (System.nanoTime() - start) / 1e9);
    found.put("longest", Math.max(longest[0], longest[1]) / NANOS_PER_MILLI);
    filled.settle();
    Footprint after = Footprint.now().since(before);
    found.put("own", (double) filled.memoryBytes());
    found.put("heap", after.heap());
    found.put("other", after.other());
    return found;
  }

  private Map<String, Double> run(Distribution keys, long fixedNanos, int threads, long millis)
      throws InterruptedException {
    List<Client> clients = new ArrayList<>();
    Threads.Done done;
    double machine;
    try (Hiccups hiccups = new Hiccups()) {
      done =
          Threads.run(
              Thread.ofPlatform().factory(),
              threads,
              millis,
              i -> {
                Client client = new Client(cache(), source(), keys, fixedNanos, ++seed);
                clients.add(client);
                return client;
              });
      machine = hiccups.millis();
    }
    Histogram all = clients.getFirst().nanos().copy();
    clients.stream().skip(1).forEach(client -> all.add(client.nanos()));
    double hits = clients.stream().mapToLong(Client::hits).sum();
    return Map.of(
        "rate", done.operations() / done.seconds(),
        "hits", 100 * hits / done.operations(),
        "p50", all.getValueAtPercentile(50) / NANOS_PER_MICRO,
        "p95", all.getValueAtPercentile(95) / NANOS_PER_MICRO,
        "p99", all.getValueAtPercentile(99) / NANOS_PER_MICRO,
        "longest", longest(clients, Client::longestGet),
        "machine", machine);
  }

  private static double longest(List<Client> clients, ToLongFunction<Client> of) {
    return clients.stream().mapToLong(of).max().orElseThrow() / NANOS_PER_MILLI;
  }

  /**
   * Looks values up that are all there: the time of an operation of one thread, and the time that
   * the process had a processor for it, that of its garbage collector included.
   */
  private Map<String, Double> hits(boolean copies, int threads, long millis)
      throws InterruptedException {
    TestedCache measured = cache();
    Distribution keys = distribution("uniform");
    long processor = processorNanos();
    Threads.Done done =
        Threads.run(
            Thread.ofPlatform().factory(),
            threads,
            millis,
            i -> {
              SplittableRandom random = new SplittableRandom(++seed);
              return copies ? copying(measured, keys, random) : reading(measured, keys, random);
            });
    processor = processorNanos() - processor;
    return Map.of(
        "nanos", done.seconds() * 1e9 * threads / done.operations(),
        "processor", (double) processor / done.operations());
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static LongSupplier reading(
      TestedCache measured, Distribution keys, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < BATCH; i++) {
        long key = keys.key(random);
        if (measured.read(key) != key) {
          throw new IllegalStateException("a value is missing");
        }
      }
      return BATCH;
    };
  }

  private static LongSupplier copying(
      TestedCache measured, Distribution keys, SplittableRandom random) {
    return () -> {
      for (int i = 0; i < BATCH; i++) {
        if (measured.copy(keys.key(random)) == null) {
          throw new IllegalStateException("a value is missing");
        }
      }
      return BATCH;
    };
  }

  /** Reads through the cache until the parent kills this process. */
  private Map<String, Double> start(int threads) {
    Distribution keys = distribution("uniform");
    for (int i = 0; i < threads; i++) {
      Client client = new Client(cache(), source(), keys, 0, ++seed);
      Thread _ =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (true) {
                      long _ = client.getAsLong();
                    }
                  });
    }
    return Map.of();
  }

  private Map<String, Double> recover(int threads, long millis)
      throws IOException, InterruptedException {
    long jvm = ManagementFactory.getRuntimeMXBean().getStartTime();
    double age = (System.currentTimeMillis() - jvm) / 1e3;
    Distribution keys = distribution("uniform");
    Curve operations = new Curve(millis / 1e3);
    Curve hits = new Curve(millis / 1e3);
    Map<String, Double> found = new HashMap<>();
    try (Hiccups hiccups = new Hiccups()) {
      long start = System.nanoTime();
      TestedCache opened = openCache();
      found.put("open", (System.nanoTime() - start) / 1e9);
      Thread ready =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    while (!opened.isReady()) {
                      LockSupport.parkNanos(POLL_NANOS);
                    }
                    synchronized (found) {
                      found.put("ready", (System.nanoTime() - start) / 1e9);
                    }
                  });
      List<Client> clients = new ArrayList<>();
      Threads.Done _ =
          Threads.run(
              Thread.ofPlatform().factory(),
              threads,
              millis,
              i -> {
                Client client = new Client(opened, source(), keys, 0, ++seed);
                clients.add(client);
                return () -> {
                  boolean hit = client.operation(System.nanoTime());
                  long now = System.nanoTime() - start;
                  operations.count(now);
                  if (hit) {
                    hits.count(now);
                  }
                  return 1;
                };
              });
      ready.join();
      found.put("longest", longest(clients, Client::longestGet));
      found.put("longestPut", longest(clients, Client::longestPut));
      found.put("machine", hiccups.millis());
    }
    found.put("age", age);
    found.putAll(operations.values());
    found.putAll(hits.values("hits"));
    return found;
  }

  @Override
  public void close() throws IOException {
    TestedCache closing = cache;
    cache = null;
    if (closing != null) {
      closing.close();
    }
  }
}
