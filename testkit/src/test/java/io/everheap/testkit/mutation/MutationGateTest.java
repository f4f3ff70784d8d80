package io.everheap.testkit.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.testkit.CrashFigures;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the crash tests: each deliberate mistake must be noticed, and nothing else. */
class MutationGateTest {
  /** What the rules begin with whose mutants are tried; all by default. */
  private static final String RULES = System.getProperty("everheap.mutants", "");

  static List<Mutant> mutants() {
    return Mutants.all().stream().filter(m -> m.rule().startsWith(RULES)).toList();
  }

  static List<String> scenarios() {
    return List.copyOf(
        new TreeSet<>(mutants().stream().flatMap(m -> m.scenarios().stream()).toList()));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void nothingIsWrongWithoutAMistake(String scenario) throws Throwable {
    new MutantLoader(null).run(scenario);
  }

  @ParameterizedTest
  @MethodSource("mutants")
  void aMistakeIsNoticed(Mutant mutant) throws Throwable {
    long start = System.nanoTime();
    String noticedBy = null;
    for (String scenario : mutant.scenarios()) {
      if (noticedBy == null && fails(mutant, scenario)) {
        noticedBy = scenario;
      }
    }
    CrashFigures.addMutants(
        "mutants", 1, noticedBy == null ? 0 : 1, (System.nanoTime() - start) / 1e9);
    assertThat(noticedBy)
        .as("the scenario that notices, of rule " + mutant.rule() + ": " + mutant)
        .isNotNull();
    System.out.println("rule " + mutant.rule() + ", " + mutant + ": noticed by " + noticedBy);
  }

  private static boolean fails(Mutant mutant, String scenario) throws Throwable {
    var loader = new MutantLoader(mutant);
    loader.loadClass(mutant.className()); // a mutant that does not apply is an error, not noticed
    Throwable[] failure = new Throwable[1];
    Thread thread =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    loader.run(scenario);
                  } catch (Throwable t) {
                    failure[0] = t;
                  }
                });
    thread.join(Duration.ofMinutes(2));
    return failure[0] != null || thread.isAlive();
  }

  @Test
  void everyMutantHasANameOfItsOwn() {
    assertThat(mutants().stream().map(Mutant::name)).doesNotHaveDuplicates();
  }
}
