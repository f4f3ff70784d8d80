package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DaxMediumTest {
  @TempDir Path temp;

  @Test
  void anOrdinaryDirectoryIsNoPersistentMemoryAndStaysEmpty() {
    assertThat(DaxMedium.supported(temp)).isFalse();

    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void aDirectoryThatDoesNotExistYetIsJudgedByTheOneAbove() {
    assertThat(DaxMedium.supported(temp.resolve("a").resolve("b"))).isFalse();

    assertThat(temp).isEmptyDirectory();
  }

  @Test
  void anOrdinaryDirectoryIsRefusedAndUnlocked() throws Exception {
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> DaxMedium.open(temp, false, false))
        .withMessageContaining("(EH-UNSUPPORTED)")
        .withMessageContaining(temp.toRealPath().toString())
        .withMessageContaining("MAP_SYNC")
        .returns("EH-UNSUPPORTED", MediumException::code);

    assertThat(temp.toFile().list()).containsExactly("lock");
    FileMedium.open(temp, false, false).close();
  }

  @Test
  void aMissingDirectoryIsRefused() {
    assertThatExceptionOfType(MissingException.class)
        .isThrownBy(() -> DaxMedium.open(temp.resolve("nothing"), false, false));
  }

  @Test
  void readingNeedsNoPersistentMemoryButTheLock() throws Exception {
    Files.write(temp.resolve("heap"), new byte[4096]);
    try (var medium = DaxMedium.open(temp, true, false);
        MediumFile file = medium.open("heap");
        Region region = file.map(Mapping.PRIVATE, 0, 4096)) {
      assertThat(medium.name()).isEqualTo("dax");
      assertThat(medium.byteAddressable()).isTrue();
      region.putLong(0, 42);
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(temp, false, false));
    }
  }

  @ParameterizedTest
  @EnabledOnOs(OS.LINUX)
  @ValueSource(
      strings = {
        "-XX:TieredStopAtLevel=0",
        "-XX:TieredStopAtLevel=1",
        "-XX:TieredStopAtLevel=2",
        "-XX:TieredStopAtLevel=3",
        "-XX:CompilationMode=quick-only",
        "-Xint"
      })
  void aJvmWithoutC2IsRefusedBeforeAnythingIsTouched(String option) throws Exception {
    try (var child = new ChildJvm(List.of(option), Opener.class, temp.toString())) {
      assertThat(child.line())
          .contains("EH-UNSUPPORTED")
          .contains(temp.toString())
          .contains("without the C2 compiler");
    }
    assertThat(temp).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"-XX:TieredStopAtLevel=4", "-XX:CompilationMode=quick-only-not", "-XX:+UseZGC"})
  void otherOptionsAreNoReason(String option) {
    assertThat(Writeback.missing("mixed mode, sharing", "java " + option + " Main")).isFalse();
    assertThat(Writeback.missing("compiled mode", option)).isFalse();
  }

  @Test
  void aJvmTellsThatItHasNoC2() {
    assertThat(Writeback.missing("mixed mode, emulated-client, sharing", "")).isTrue();
    assertThat(Writeback.missing("interpreted mode", "")).isTrue();
    assertThat(Writeback.missing("mixed mode", "java -XX:TieredStopAtLevel=2 Main")).isTrue();
    assertThat(Writeback.missing()).isFalse();
  }

  /** Opens a heap on persistent memory in another process. */
  static final class Opener {
    private Opener() {}

    /**
     * Runs it.
     *
     * @param arguments the heap
     */
    public static void main(String[] arguments) {
      try (var medium = DaxMedium.open(Path.of(arguments[0]), false, false)) {
        System.out.println("opened " + medium);
      } catch (MediumException e) {
        System.out.println(e.code() + " " + e.getMessage());
      }
    }
  }
}
