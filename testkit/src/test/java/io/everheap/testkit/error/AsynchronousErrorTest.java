package io.everheap.testkit.error;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import io.everheap.testkit.CrashFigures;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Lets StackOverflowErrors, OutOfMemoryErrors and other errors strike at calls and allocations of
 * the library, in transactions, checkpoints, growth, collections, evictions, loads, closing and
 * recovery, on heaps, journals and caches. What was struck works and is right, or is poisoned and
 * says why; it keeps no lock; and nothing that was acknowledged before or after the error is
 * missing when it is opened again, nor served by a cache if it was removed. {@code
 * -Deverheap.crash.effort=N} lets more errors strike.
 */
@Campaign
class AsynchronousErrorTest {
  private static final int RUNS = 12 * Integer.getInteger("everheap.crash.effort", 1);
  private static final long SEED = Long.getLong("everheap.crash.seed", 1);

  private static Class<?> exploration;

  @BeforeAll
  static void load() throws ReflectiveOperationException {
    exploration = new InstrumentingLoader().loadClass(Exploration.class.getName());
  }

  static List<Arguments> programs() {
    List<Arguments> programs = new ArrayList<>();
    for (HeapPrograms.Setup setup : HeapPrograms.Setup.values()) {
      for (String name : Programs.names()) {
        programs.add(Arguments.of(name, setup.name()));
      }
    }
    return programs;
  }

  @ParameterizedTest(name = "{0}, {1}")
  @MethodSource("programs")
  void anErrorAnywhereLosesNothingAndKeepsNoLock(String name, String setup) throws Throwable {
    long start = System.nanoTime();

    List<String> report = explore(setup, name);

    CrashFigures.addErrors(
        "asynchronous errors",
        Long.parseLong(report.get(0)),
        Long.parseLong(report.get(1)),
        Long.parseLong(report.get(2)),
        (System.nanoTime() - start) / 1e9);
    System.out.printf(
        Locale.ROOT,
        "%s, %s: %s errors struck, at %s places that were new; poisoned after %s%n",
        name,
        setup,
        report.get(1),
        report.get(0),
        report.get(2));
    assertThat(report.subList(3, report.size()))
        .as("errors after which something is wrong")
        .isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static List<String> explore(String setup, String name) throws Throwable {
    Method explore =
        exploration.getMethod("explore", String.class, String.class, int.class, long.class);
    try {
      return (List<String>) explore.invoke(null, setup, name, RUNS, SEED);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
