package io.everheap.mutation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.pitest.mutationtest.build.InterceptorParameters;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.build.MutationInterceptorFactory;
import org.pitest.plugin.Feature;

/** Gives PIT the {@link Sampling} of the run in this process. */
public final class SamplingFactory implements MutationInterceptorFactory {
  /** Set before PIT starts and loads this class by name. */
  private static volatile @Nullable Sampling current;

  static void use(Sampling sampling) {
    current = sampling;
  }

  @Override
  public MutationInterceptor createInterceptor(InterceptorParameters parameters) {
    return Objects.requireNonNull(current, "no run has started");
  }

  @Override
  public Feature provides() {
    return Feature.named("everheap-sampling").withOnByDefault(true).withDescription(description());
  }

  @Override
  public String description() {
    return "Keeps the mutants that a run of Everheap's mutation tests asks for";
  }
}
