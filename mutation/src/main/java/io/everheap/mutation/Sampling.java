package io.everheap.mutation;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.pitest.bytecode.analysis.ClassTree;
import org.pitest.mutationtest.build.InterceptorType;
import org.pitest.mutationtest.build.MutationInterceptor;
import org.pitest.mutationtest.engine.Mutater;
import org.pitest.mutationtest.engine.MutationDetails;

/**
 * Keeps the mutants that a run asks for: one in {@code share}, chosen by a hash of the mutant and
 * the selection, so that equal sources choose equal mutants; or those with the given ids.
 */
final class Sampling implements MutationInterceptor {
  private final int share;
  private final String selection;
  private final Set<String> wanted;
  private final Set<String> finished;
  private final Map<String, Integer> ordinals = new ConcurrentHashMap<>();

  /**
   * @param wanted ids of mutants, all others are dropped; empty for all
   * @param finished ids of mutants that are dropped
   */
  Sampling(int share, String selection, Set<String> wanted, Set<String> finished) {
    this.share = share;
    this.selection = selection;
    this.wanted = wanted;
    this.finished = finished;
  }

  @Override
  public InterceptorType type() {
    return InterceptorType.FILTER;
  }

  @Override
  public void begin(ClassTree type) {}

  @Override
  public Collection<MutationDetails> intercept(
      Collection<MutationDetails> mutants, Mutater mutater) {
    Map<String, Integer> counts = new HashMap<>();
    mutants.stream()
        .sorted(Comparator.comparing(MutationDetails::getId))
        .forEach(
            mutant ->
                ordinals.put(
                    MutantResult.id(mutant.getId()),
                    counts.merge(mutant.getLineNumber() + mutant.getMutator(), 1, Integer::sum)));
    return mutants.stream().filter(mutant -> isChosen(MutantResult.id(mutant.getId()))).toList();
  }

  @Override
  public void end() {}

  /** The position of a mutant among those of the same mutator in its line, from 1. */
  int ordinal(String id) {
    return ordinals.getOrDefault(id, 1);
  }

  /** Whether a run wants a mutant. */
  boolean isChosen(String id) {
    if (!wanted.isEmpty()) {
      return wanted.contains(id);
    }
    return !finished.contains(id) && (share == 1 || hash(selection + id) % share == 0);
  }

  private static long hash(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    // The low bits of a CRC depend on few of the text's: mixed once more.
    return (crc.getValue() * 0x9E3779B97F4A7C15L) >>> 33;
  }
}
