package io.everheap.testkit.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the crash tests with one mutant of each family of rules, which are quick: so every run of
 * the fast tests proves that the crash tests can fail. {@link MutationGateTest} makes the others.
 */
@Execution(ExecutionMode.CONCURRENT)
class MutantSampleTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "recovery ends without a checkpoint",
        "the checksums of records are not checked",
        "the checksum of a recovered block is not compared",
        "a removal of a key that moves is not durable when others can put it elsewhere",
        "the home image of a replica does not grow with the primary's",
        "a directory in which a restore was interrupted is opened",
        "the tag of a sector is not checked"
      })
  void aMutantOfEachFamilyIsNoticed(String name) throws Exception {
    List<Mutant> named = Mutants.all().stream().filter(m -> m.name().equals(name)).toList();
    assertThat(named).as("mutants that are named " + name).hasSize(1);
    MutantRuns.requireNoticed(named.getFirst());
  }
}
