package io.everheap.mutation;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
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
  private final Map<String, Set<String>> classes = new ConcurrentHashMap<>();
  private final BiFunction<String, Set<String>, Set<String>> killed;

  /**
   * @param wanted ids of mutants, all others are dropped; empty for all
   * @param finished ids of mutants that are dropped
   * @param killed of the mutants of a class, given its name, those that are dropped as well
   */
  Sampling(
      int share,
      String selection,
      Set<String> wanted,
      Set<String> finished,
      BiFunction<String, Set<String>, Set<String>> killed) {
    this.share = share;
    this.selection = selection;
    this.wanted = wanted;
    this.finished = finished;
    this.killed = killed;
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
    Map<String, Set<String>> ids = new HashMap<>();
    for (MutationDetails mutant : mutants) {
      ids.computeIfAbsent(mutant.getClassName().asJavaName(), name -> new HashSet<>())
          .add(MutantResult.id(mutant.getId()));
    }
    classes.putAll(ids);
    Set<String> dropped = new HashSet<>();
    ids.forEach((name, all) -> dropped.addAll(killed.apply(name, all)));
    return mutants.stream()
        .filter(mutant -> isChosen(MutantResult.id(mutant.getId())))
        .filter(mutant -> !dropped.contains(MutantResult.id(mutant.getId())))
        .toList();
  }

  /** The ids of all mutants of each class that PIT asked about, also of those that were dropped. */
  Map<String, Set<String>> classes() {
    return classes;
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
    return !finished.contains(id) && isInShare(id);
  }

  /** Whether a mutant belongs to the share, also if it is finished. */
  boolean isInShare(String id) {
    return share == 1 || hash(selection + id) % share == 0;
  }

  private static long hash(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.UTF_8));
    // The low bits of a CRC depend on few of the text's: mixed once more.
    return (crc.getValue() * 0x9E3779B97F4A7C15L) >>> 33;
  }
}
