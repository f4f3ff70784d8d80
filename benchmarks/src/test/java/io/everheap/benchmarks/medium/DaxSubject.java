package io.everheap.benchmarks.medium;

import io.everheap.benchmarks.harness.Subject;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.tx.Transactions;
import io.everheap.memory.Mapping;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.file.Path;
import java.util.Map;

/** Uses the medium in a JVM that may write back cache lines. */
public final class DaxSubject implements Subject {
  private Path directory;

  @Override
  public void open(Map<String, String> parameters) {
    directory = Path.of(parameters.get("directory"));
  }

  @Override
  public Map<String, Double> measure(String[] request) {
    return switch (request[0]) {
      case "commit" -> Map.of("done", commit(Long.parseLong(request[1])));
      case "load" -> Map.of("value", load());
      case "force" -> Map.of("value", force());
      case "force-outside" -> Map.of("refused", forceOutside());
      default -> throw new IllegalArgumentException(request[0]);
    };
  }

  /** Commits a value and leaves the heap open. */
  private double commit(long value) {
    Engine engine = open();
    Transactions tx = engine.transactions();
    tx.begin();
    boolean ok = false;
    try {
      engine.memory().putLong(0, engine.context().catalog(15), value);
      ok = true;
    } finally {
      tx.end(ok);
    }
    return 1;
  }

  private double load() {
    try (Engine engine = open()) {
      return engine.memory().getLong(engine.context().catalog(15));
    }
  }

  private Engine open() {
    return Engine.open(EmulatedDaxMedium.open(directory), EngineOptions.defaults());
  }

  /** Stores through one mapping and loads through another. */
  private double force() {
    try (EmulatedDaxMedium medium = EmulatedDaxMedium.open(directory);
        MediumFile file = medium.create("area");
        Region written = file.map(Mapping.SHARED, 0, 8192);
        Region read = file.map(Mapping.SHARED, 4096, 4096)) {
      written.putLong(5000 & -8, 7);
      written.force(4096, 4096);
      return read.getLong((5000 & -8) - 4096);
    }
  }

  private double forceOutside() {
    try (EmulatedDaxMedium medium = EmulatedDaxMedium.open(directory);
        MediumFile file = medium.create("small");
        Region region = file.map(Mapping.SHARED, 0, 4096)) {
      region.force(4090, 64);
      return 0;
    } catch (IndexOutOfBoundsException e) {
      return 1;
    }
  }

  @Override
  public void close() {}
}
