package io.everheap.testkit.error;

import io.everheap.cache.BlockHandle;
import io.everheap.cache.DurableCache;
import io.everheap.testkit.error.CacheProgram.Opened;
import io.everheap.testkit.error.HeapPrograms.Setup;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** The programs on caches. */
final class CachePrograms {
  private static final int LARGE = 20_000;

  private final Setup setup;

  CachePrograms(Setup setup) {
    this.setup = setup;
  }

  /** The programs by name. */
  Map<String, Program<Opened>> all() {
    Map<String, Program<Opened>> all = new LinkedHashMap<>();
    all.put("cache", changes());
    all.put("cache evictions", evictions());
    all.put("cache recovery", recovery());
    return all;
  }

  /** Programs that errors strike in threads of the library. */
  Map<String, Program<Opened>> inTheBackground() {
    return Map.of("cache background", background());
  }

  private CacheProgram program() {
    return new CacheProgram(
        setup,
        () -> setup == Setup.DAX ? SimulatedMedium.dax(9) : SimulatedMedium.file(9),
        Map.of());
  }

  private static CacheProgram put(CacheProgram program, String key, String value) {
    return program.step(cache -> cache.put(key, value), model -> model.put(key, value));
  }

  private static CacheProgram invalidate(CacheProgram program, String key) {
    return program.step(cache -> cache.invalidate(key), model -> model.remove(key));
  }

  private CacheProgram changes() {
    CacheProgram program = program();
    put(program, "a", "1");
    put(program, "b", "1");
    program.step(cache -> cache.get("c", key -> "1"), model -> model.put("c", "1"));
    put(program, "a", "2");
    program.step(
        cache -> cache.getAll(List.of("a", "d", "e"), keys -> Map.of("d", "1", "e", "1", "f", "1")),
        model -> model.putAll(Map.of("d", "1", "e", "1", "f", "1")));
    program.step(
        cache -> cache.compute("b", (key, old) -> old + "!"), model -> model.put("b", "1!"));
    invalidate(program, "a");
    program.step(cache -> cache.putIfAbsent("a", "3"), model -> model.put("a", "3"));
    program.step(CachePrograms::expire, model -> {});
    program.step(cache -> cache.getAsync("g", key -> "1").join(), model -> model.put("g", "1"));
    program.step(CachePrograms::invalidatePinned, model -> model.remove("d"));
    program.step(cache -> cache.asMap().remove("e"), model -> model.remove("e"));
    program.step(cache -> cache.blocks().sync(), model -> {});
    program.step(cache -> cache.asMap().keySet().removeIf("f"::equals), model -> model.remove("f"));
    program.step(DurableCache::invalidateAll, Map::clear);
    put(program, "a", "4");
    return invalidate(program, "a");
  }

  /** Entries whose time is over, of which a lookup finds one. */
  private static void expire(DurableCache<String, String> cache) {
    cache.timed().put("x", "over", Instant.ofEpochMilli(1));
    cache.timed().put("y", "over", Instant.ofEpochMilli(1));
    if (cache.getIfPresent("x") != null) {
      throw new AssertionError("served after its time");
    }
    cache.cleanUp();
  }

  private static void invalidatePinned(DurableCache<String, String> cache) {
    byte[] key = "d".getBytes(StandardCharsets.UTF_8);
    try (BlockHandle handle = cache.blocks().get(key)) {
      cache.invalidate("d");
      if (handle != null && handle.length() == 0) {
        throw new AssertionError("the block is gone");
      }
    }
  }

  private static String large(String value, int size) {
    return value + "x".repeat(size);
  }

  private CacheProgram evictions() {
    CacheProgram program = program();
    for (int i = 0; i < 12; i++) {
      put(program, "k" + i % 10, large("v" + i, LARGE));
      if (i % 4 == 3) {
        int hit = i;
        program.step(cache -> cache.getIfPresent("k" + hit), model -> {});
      }
    }
    invalidate(program, "k9");
    put(program, "k1", large("last", 3 * LARGE));
    put(program, "k2", "small");
    program.step(DurableCache::invalidateAll, Map::clear);
    return put(program, "k3", large("again", LARGE));
  }

  private CacheProgram before() {
    CacheProgram before = program();
    for (int i = 0; i < 6; i++) {
      put(before, "k" + i, large("v" + i, i % 2 == 0 ? LARGE : 10));
    }
    put(before, "k1", "replaced");
    return invalidate(before, "k0");
  }

  private CacheProgram recovery() {
    CacheProgram before = before();
    CacheProgram program =
        new CacheProgram(setup, killed(before), before.model()).strikingOpening();
    put(program, "k5", "put");
    invalidate(program, "k2");
    program.step(CachePrograms::expire, model -> {});
    program.step(cache -> cache.get("n", key -> "loaded"), model -> model.put("n", "loaded"));
    invalidate(program, "k1");
    program.step(cache -> cache.blocks().awaitIndexed(), model -> {});
    put(program, "k3", large("more", LARGE));
    return invalidate(program, "k4");
  }

  private CacheProgram background() {
    CacheProgram before = before();
    CacheProgram program =
        new CacheProgram(setup, killed(before), before.model()).background().strikingOpening();
    for (int i = 0; i < 6; i++) {
      put(program, "k" + i % 4, large("b" + i, LARGE));
    }
    invalidate(program, "k2");
    program.step(cache -> cache.blocks().awaitIndexed(), model -> {});
    return program.step(cache -> cache.blocks().sync(), model -> {});
  }

  private static Supplier<SimulatedMedium> killed(CacheProgram first) {
    CrashImage[] left = new CrashImage[1];
    return () -> {
      synchronized (left) {
        if (left[0] == null) {
          SimulatedMedium medium = first.medium();
          Opened opened = first.open(medium);
          for (int step = 0; step < first.steps(); step++) {
            try {
              first.step(opened, step, -1);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
          left[0] = medium.image();
          first.close(opened);
        }
        return left[0].processKill();
      }
    };
  }
}
