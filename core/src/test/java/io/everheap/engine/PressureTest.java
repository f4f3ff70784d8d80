package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.alloc.Reference;
import io.everheap.engine.tx.Stripes;
import io.everheap.memory.FileMedium;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PressureTest {
  private static final long HOUR = 3_600_000_000_000L;
  private static final int BUDGET = 1 << 22;
  private static final int BLOCK = 1 << 16;

  @TempDir Path temp;

  /** Also not those that become private while a checkpoint decides: nothing would ever stay. */
  @Test
  void pagesStayPrivateUntilTheyExceedAShareOfTheBudget() {
    EngineOptions options =
        new EngineOptions(
            1L << 30, 22, 1 << 20, 1 << 16, 1 << 17, 1L << 28, BUDGET, HOUR, false, HOUR, false);
    FileMedium medium = FileMedium.open(temp.resolve("h"), false, true);
    try (Engine engine = Engine.open(medium, options)) {
      Pressure pressure =
          new Pressure(
              new ProcessMemory(Properties::new, MachineMemory::total).join("h", BUDGET, BUDGET),
              medium,
              engine.home(),
              engine.log(),
              1 << 17,
              () -> BUDGET);
      long keep = pressure.keepResident();
      store(engine, BUDGET / 4);
      assertThat(engine.home().resident().count()).isPositive().isLessThanOrEqualTo(keep);
      while (engine.home().resident().count() <= BUDGET / 4096 / 8 * 5) {
        store(engine, BLOCK);
      }
      assertThat(pressure.keepResident()).isEqualTo(BUDGET / 2 / 4096);
    }
  }

  private static void store(Engine engine, int bytes) {
    for (int stored = 0; stored < bytes; stored += BLOCK) {
      engine
          .transactions()
          .run(
              () -> {
                long block = Reference.payload(engine.allocator().allocate(1, BLOCK));
                for (int i = 0; i < BLOCK; i += 4096) {
                  engine.memory().putLong(Stripes.NONE, block + i, 1);
                }
              });
    }
  }
}
