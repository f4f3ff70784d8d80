package io.everheap.testkit.error;

import io.everheap.cache.DurableCache;
import io.everheap.cache.DurableCacheBuilder;
import io.everheap.cache.SimulatedCaches;
import io.everheap.error.MediumException;
import io.everheap.memory.Medium;
import io.everheap.testkit.error.HeapPrograms.Setup;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A program on a cache of texts. Each step says what the cache may serve after it: that or less,
 * since entries are evicted, and may be lost by what an error left undone.
 */
final class CacheProgram implements Program<CacheProgram.Opened> {
  private static final String OTHER = "-";
  private static final int SEGMENTS = 3;
  private static final long NOW = 1_000_000;

  private final Supplier<SimulatedMedium> medium;
  private final Setup setup;
  private final List<Step> steps = new ArrayList<>();
  private final List<Map<String, String>> models = new ArrayList<>();
  private final Set<String> keys = new TreeSet<>();
  private boolean background;
  private boolean strikesOpening;

  /** A cache and its medium. */
  record Opened(DurableCache<String, String> cache, SimulatedMedium medium) {}

  /** Something that is done to a cache. */
  interface Step {
    void run(DurableCache<String, String> cache) throws Exception;
  }

  /** A change of what may be served. */
  interface Change {
    void apply(Map<String, String> model);
  }

  CacheProgram(Setup setup, Supplier<SimulatedMedium> medium, Map<String, String> before) {
    this.setup = setup;
    this.medium = medium;
    models.add(before);
    keys.addAll(before.keySet());
  }

  CacheProgram step(Step step, Change change) {
    Map<String, String> model = new HashMap<>(models.getLast());
    change.apply(model);
    model.replaceAll((key, value) -> value.matches(".*x[0-9]+") ? value : shortened(value));
    steps.add(step);
    models.add(model);
    keys.addAll(model.keySet());
    return this;
  }

  CacheProgram background() {
    background = true;
    return this;
  }

  CacheProgram strikingOpening() {
    strikesOpening = true;
    return this;
  }

  /** What may be served at the end. */
  Map<String, String> model() {
    return models.getLast();
  }

  @Override
  public SimulatedMedium medium() {
    return medium.get();
  }

  @Override
  public Opened open(SimulatedMedium on) {
    boolean[] taken = {false};
    Function<Path, Medium> media =
        path -> {
          taken[0] = true;
          return on;
        };
    try {
      DurableCacheBuilder<String, String> builder =
          SimulatedCaches.textsBuilder(media, SEGMENTS, () -> NOW);
      builder.executor(Runnable::run).removalListener((key, value, cause) -> {});
      builder.blocks(
          blocks -> {
            if (background) {
              SimulatedCaches.withThreads(blocks, Duration.ofMillis(1));
            }
            if (setup == Setup.FILE_SYNC) {
              blocks.strict();
            }
          });
      return new Opened(builder.open(), on);
    } catch (Throwable t) {
      if (!taken[0]) {
        on.close(); // nothing else has it yet
      }
      throw t;
    }
  }

  @Override
  public boolean strikesOpening() {
    return strikesOpening;
  }

  @Override
  public int steps() {
    return steps.size();
  }

  @Override
  public void step(Opened opened, int step, int skipped) throws Exception {
    steps.get(step).run(opened.cache);
  }

  @Override
  public Object expected(Opened opened, int done) {
    if (!agree(contents(opened), models.get(done))) {
      throw new AssertionError("after step " + done + ": " + contents(opened));
    }
    return models.get(done);
  }

  @Override
  public boolean agree(Object found, Object expected) {
    return ((Map<?, ?>) expected).entrySet().containsAll(((Map<?, ?>) found).entrySet());
  }

  /**
   * What is served, and what is found when the cache is opened again. An entry whose removal failed
   * may be served until then; another value of its key is never found.
   */
  @Override
  public Object contents(Opened opened) {
    Map<String, String> served = served(opened.cache);
    if (!isOpen(opened)) {
      return served;
    }
    Opened again = open(opened.medium.image().processKill());
    again.cache.blocks().awaitIndexed();
    Map<String, String> found = served(again.cache);
    again.cache.close();
    served.forEach(
        (key, value) -> {
          String other = found.putIfAbsent(key, value);
          if (other != null && !other.equals(value)) {
            throw new AssertionError(
                String.format(Locale.ROOT, "serves %s for %s, and has %s", value, key, other));
          }
        });
    return found;
  }

  private Map<String, String> served(DurableCache<String, String> cache) {
    Map<String, String> served = new HashMap<>();
    cache.getAllPresent(keys).forEach((key, value) -> served.put(key, shortened(value)));
    return served;
  }

  /** A value, with the number of the x at its end in place of them. */
  private static String shortened(String value) {
    String start = value.replaceFirst("x+$", "");
    return start + "x" + (value.length() - start.length());
  }

  /** Takes the locks of all keys, finds out whether a load of one is left, and puts an entry. */
  @Override
  public void write(Opened opened) {
    for (String key : keys) {
      boolean _ = opened.cache.asMap().remove(key, "never put");
      String _ = opened.cache.get(key, missing -> null);
    }
    opened.cache.put(OTHER, "written");
  }

  @Override
  public boolean isPoison(Throwable failure) {
    return failure instanceof MediumException && failure.getCause() != null;
  }

  @Override
  public boolean isOpen(Opened opened) {
    try {
      opened.cache.blocks().sync();
      return true;
    } catch (MediumException e) {
      return false;
    }
  }

  @Override
  public boolean servesPoisoned() {
    return true;
  }

  /** Whether an end that returned is durable; an entry need not be. */
  @Override
  public boolean sync() {
    return setup != Setup.FILE_ASYNC;
  }

  @Override
  public void makeDurable(Opened opened) {
    opened.cache.blocks().sync();
  }

  @Override
  public void verify(Opened opened) {
    opened.cache.blocks().awaitIndexed();
    SimulatedCaches.requireExactSpace(opened.cache.blocks());
    long size = opened.cache.stats().capacityBytes();
    if (opened.medium.image().processKill().open("cache").size() > size) {
      throw new AssertionError("the file is larger than its capacity of " + size);
    }
  }

  @Override
  public void close(Opened opened) {
    opened.cache.close();
  }
}
