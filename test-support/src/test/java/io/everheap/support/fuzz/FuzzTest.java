package io.everheap.support.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FuzzTest {
  private static final Path FOUND =
      Path.of(System.getProperty("basedir", "")).resolve("target/fuzz/self-test");

  @TempDir Path temp;

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private static Fuzz<byte[]> fuzz() {
    return Fuzz.bytes("self-test").inputs(2000).allow(RefusedException.class::isInstance);
  }

  /** A parser that trusts its count. */
  private static void parse(byte[] input) {
    if (input.length < 8 || input[0] != 'E') {
      throw new RefusedException();
    }
    byte[] rest = new byte[ByteBuffer.wrap(input).getShort(6)];
    System.arraycopy(input, 8, rest, 0, rest.length);
  }

  @Test
  void eachKindOfFailureIsReportedOnceAndKept() {
    assertThatThrownBy(() -> fuzz().run(FuzzTest::parse))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("target self-test")
        .hasMessageContaining("NegativeArraySizeException")
        .hasMessageContaining("ArrayIndexOutOfBoundsException");
    assertThat(FOUND).isDirectoryContaining(FuzzTest::negative);
  }

  private static boolean negative(Path file) {
    try {
      byte[] kept = Files.readAllBytes(file);
      return kept.length >= 8 && ByteBuffer.wrap(kept).getShort(6) < 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void allowedFailuresAreNone() {
    fuzz()
        .run(
            input -> {
              throw new RefusedException();
            });
  }

  @Test
  void theCorpusComesFirstAndThenTheSameInputsEachTime() {
    List<List<byte[]>> runs = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      List<byte[]> seen = new ArrayList<>();
      fuzz().run(seen::add);
      runs.add(seen);
    }
    assertThat(runs.getFirst()).hasSameSizeAs(runs.getLast());
    assertThat(new String(runs.getFirst().getFirst(), StandardCharsets.ISO_8859_1))
        .isEqualTo("EVER\0\0\0\10abcdefgh");
    Set<String> different = new HashSet<>();
    for (int i = 0; i < runs.getFirst().size(); i++) {
      assertThat(runs.getFirst().get(i)).isEqualTo(runs.getLast().get(i));
      different.add(Arrays.toString(runs.getFirst().get(i)));
    }
    assertThat(different).hasSizeGreaterThan(1500);
  }

  @Test
  void unboundedMemoryIsAFinding() {
    List<byte[]> kept = new ArrayList<>();
    assertThatThrownBy(
            () -> fuzz().inputs(0).memory(1 << 20).run(input -> kept.add(new byte[2 << 20])))
        .hasMessageContaining("allocates");
  }

  @Test
  void tooManyStoredBytesAreAFinding() {
    assertThatThrownBy(
            () ->
                fuzz()
                    .inputs(0)
                    .stored(temp, 10)
                    .run(input -> Files.write(temp.resolve("large"), input)))
        .hasMessageContaining("stores 16 bytes");
  }

  @Test
  void aRangeIsMutatedAndNothingElse() {
    byte[] bytes = new byte[1000];
    for (int i = 0; i < 300; i++) {
      byte[] mutated = new Mutator(1, i).mutateRange(bytes, 100, 200);
      assertThat(mutated).hasSize(1000);
      assertThat(Arrays.copyOf(mutated, 100)).containsOnly(0);
      assertThat(Arrays.copyOfRange(mutated, 200, 1000)).containsOnly(0);
    }
  }

  @Test
  void filesOfADirectoryAreKeptAndOnlyThoseNamedAreMutated() throws Exception {
    SequencedMap<String, byte[]> files = new TreeMap<>();
    files.put("heap", new byte[] {1, 2, 3});
    files.put("log/1", new byte[] {4, 5, 6});
    byte[] kept = Form.FILES.format(files);
    assertThat(Form.FILES.parse(kept)).containsExactlyEntriesOf(files);
    assertThat(Form.FILES.format(Form.FILES.parse(kept))).isEqualTo(kept);
    Fuzz.files("none", Mutation.files(name -> name.startsWith("log/")))
        .from(files)
        .run(input -> assertThat(input.get("heap")).containsExactly(1, 2, 3));
  }
}
