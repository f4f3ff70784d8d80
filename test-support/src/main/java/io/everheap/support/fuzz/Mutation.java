package io.everheap.support.fuzz;

import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Makes a new input of an existing one.
 *
 * @param <I> the inputs
 */
@FunctionalInterface
public interface Mutation<I> {
  /**
   * Mutates all bytes of an input.
   *
   * @return the mutation
   */
  static Mutation<byte[]> bytes() {
    return (input, other, mutator) -> mutator.mutate(input, other);
  }

  /**
   * Mutates one file of a directory, rarely two.
   *
   * @param names accepts the names of the files that may be mutated
   * @return the mutation
   */
  static Mutation<SequencedMap<String, byte[]>> files(Predicate<String> names) {
    return (input, other, mutator) -> {
      List<String> files = input.keySet().stream().filter(names).toList();
      if (files.isEmpty()) {
        throw new IllegalStateException("no file to mutate among " + input.keySet());
      }
      SequencedMap<String, byte[]> mutated = new TreeMap<>(input);
      int count = mutator.random().nextInt(8) == 0 ? 2 : 1;
      for (int i = 0; i < count; i++) {
        String file = files.get(mutator.random().nextInt(files.size()));
        byte[] bytes = mutated.getOrDefault(file, new byte[0]);
        mutated.put(file, mutator.mutate(bytes, other.getOrDefault(file, bytes)));
      }
      return mutated;
    };
  }

  /**
   * Makes a new input.
   *
   * @param input the input to change, which stays as it is
   * @param other another input of the corpus, or the same one, for parts of it
   * @param mutator makes the random choices
   * @return the new input
   */
  I mutate(I input, I other, Mutator mutator);
}
