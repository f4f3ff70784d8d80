package io.everheap.mutation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.pitest.mutationtest.ClassMutationResults;
import org.pitest.mutationtest.ListenerArguments;
import org.pitest.mutationtest.MutationResult;
import org.pitest.mutationtest.MutationResultListener;
import org.pitest.mutationtest.MutationResultListenerFactory;

/**
 * Appends the results of each finished group of mutants to a file, so that a run can be resumed.
 */
public final class ResultWriterFactory implements MutationResultListenerFactory {
  static final String NAME = "EVERHEAP";

  /** Set before PIT starts and loads this class by name. */
  private static volatile @Nullable Path file;

  private static volatile @Nullable Sampling sampling;

  static void use(Path results, Sampling chosen) {
    file = results;
    sampling = chosen;
  }

  @Override
  public MutationResultListener getListener(Properties properties, ListenerArguments arguments) {
    return new ResultWriter(
        Objects.requireNonNull(file, "no run has started"), Objects.requireNonNull(sampling));
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "Appends results to a file as they come";
  }

  private record ResultWriter(Path target, Sampling chosen) implements MutationResultListener {
    @Override
    public void runStart() {}

    @Override
    public void handleMutationResult(ClassMutationResults results) {
      try (Writer writer =
          Files.newBufferedWriter(target, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
        for (MutationResult result : results.getMutations()) {
          int ordinal = chosen.ordinal(MutantResult.id(result.getDetails().getId()));
          writer.write(MutantResult.of(result, ordinal).format() + "\n");
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write " + target, e);
      }
    }

    @Override
    public void runEnd() {}
  }
}
