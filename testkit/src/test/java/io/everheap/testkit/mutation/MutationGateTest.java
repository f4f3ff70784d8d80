package io.everheap.testkit.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import io.everheap.support.tier.Campaign;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the crash tests: each deliberate mistake must be noticed, and nothing else. A run makes
 * every third mistake; with which of the first three it begins follows from the run's seed, or is
 * set by {@code -Deverheap.mutants.first=N}. {@code -Deverheap.mutants=TEXT} chooses those with the
 * text in their rule, name or scenarios, {@code all} makes all of them.
 */
@Execution(ExecutionMode.CONCURRENT)
@Campaign
class MutationGateTest {
  private static final String CHOICE = System.getProperty("everheap.mutants", "");
  private static final int STEP = 3;
  private static final int FIRST =
      Integer.getInteger("everheap.mutants.first", Math.floorMod(Seeds.seed(), STEP));

  private static final List<Mutant> CHOSEN = choose(Mutants.all());

  static List<Mutant> mutants() {
    return CHOSEN;
  }

  private static List<Mutant> choose(List<Mutant> all) {
    return switch (CHOICE) {
      case "all" -> all;
      case "" -> everyThird(all);
      default ->
          all.stream()
              .filter(m -> (m.rule() + " " + m + " " + m.scenarios()).contains(CHOICE))
              .toList();
    };
  }

  private static List<Mutant> everyThird(List<Mutant> all) {
    System.out.printf(Locale.ROOT, "every third mutant, -Deverheap.mutants.first=%d%n", FIRST);
    return IntStream.range(0, all.size())
        .filter(i -> i % STEP == FIRST)
        .mapToObj(all::get)
        .toList();
  }

  static List<String> scenarios() {
    return List.copyOf(
        new TreeSet<>(CHOSEN.stream().flatMap(m -> m.scenarios().stream()).toList()));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void nothingIsWrongWithoutAMistake(String scenario) throws Throwable {
    long start = System.nanoTime();
    MutantRuns.runUnchanged(scenario);
    System.out.printf(
        Locale.ROOT, "scenario %s: %.1f s%n", scenario, (System.nanoTime() - start) / 1e9);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aMistakeIsNoticed(Mutant mutant) throws Exception {
    MutantRuns.requireNoticed(mutant);
  }

  @Test
  void everyMutantAppliesToTheCode() throws ClassNotFoundException {
    for (Mutant mutant : Mutants.all()) {
      new MutantLoader(mutant).loadClass(mutant.className());
    }
  }

  @Test
  void everyMutantHasANameOfItsOwn() {
    assertThat(Mutants.all().stream().map(Mutant::name)).doesNotHaveDuplicates();
  }
}
