package io.everheap.salvage;

import io.everheap.error.EverheapException;
import io.everheap.support.fuzz.Directories;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Salvages heaps whose files were mutated. It needs no right checksums: what they do not match is
 * read all the same. The damaged heap stays as it is, and the new one is sound.
 */
@Campaign
class SalvageFuzzTest {
  private static final long MOST_STORED = 128L << 20;

  @TempDir Path temp;

  @Test
  void anyFile() {
    Path saved = temp.resolve("saved");
    fuzz("salvage", 10, Mutation.files(name -> true), saved);
  }

  @Test
  void pages() {
    Path saved = temp.resolve("saved");
    fuzz("salvage-pages", 14, Mutation.files(name -> name.equals("heap")), saved);
  }

  private void fuzz(
      String target, int inputs, Mutation<SequencedMap<String, byte[]>> mutation, Path saved) {
    Fuzz.files(target, mutation)
        .corpus("core", "heap")
        .inputs(inputs)
        .stored(saved, MOST_STORED)
        .allow(EverheapException.class::isInstance)
        .run(
            input -> {
              Directories.delete(saved);
              Salvaging.run(Directories.write(input, temp.resolve("heap")), saved);
            });
  }
}
