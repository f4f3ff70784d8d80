package io.everheap.testkit.mutation;

import io.everheap.testkit.ChangedClasses;
import org.jspecify.annotations.Nullable;

/** Changes one class, or none. */
final class MutantLoader extends ChangedClasses {
  private final @Nullable Mutant mutant;

  MutantLoader(@Nullable Mutant mutant) {
    this.mutant = mutant;
  }

  @Override
  protected byte[] change(String name, byte[] bytes) {
    return mutant != null && name.equals(mutant.className())
        ? mutant.change().apply(bytes, mutant.method())
        : bytes;
  }

  /**
   * Runs a scenario; throws what it throws.
   *
   * @param scenario a method of {@code MutationScenarios}, or of another class, with a dot between
   */
  void run(String scenario) throws Throwable {
    int dot = scenario.indexOf('.');
    String owner = dot < 0 ? "MutationScenarios" : scenario.substring(0, dot);
    try {
      loadClass("io.everheap.testkit." + owner).getMethod(scenario.substring(dot + 1)).invoke(null);
    } catch (java.lang.reflect.InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
