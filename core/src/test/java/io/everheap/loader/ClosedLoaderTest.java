package io.everheap.loader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.journal.Journal;
import io.everheap.support.EndingLoader;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.function.Function;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A heap or a journal can be closed, and says how it failed, when no class can be loaded any more:
 * the class loader was closed, or the jars of a running program were replaced.
 */
@Campaign
class ClosedLoaderTest {
  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "idle",
        "memory",
        "heap",
        "async",
        "reader",
        "large",
        "encrypted",
        "journal",
        "asyncJournal"
      })
  void whatIsOpenCanBeClosed(String what) throws Exception {
    Path here = directory.resolve(what);
    try (var loader = new EndingLoader(Heap.class, LoaderProgram.class)) {
      Function<String, Object> program = loader.make(LoaderProgram.class);
      Object _ = program.apply(what + " " + here);
      loader.end();
      assertThatCode(() -> program.apply("close")).doesNotThrowAnyException();
      assertThat(loader.missed()).isEmpty();
    }
    if (what.equals("encrypted")) {
      return;
    }
    if (what.contains("ournal")) {
      Journal.builder(here).open().close();
    } else {
      Heap.open(here).close(); // it is not locked
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap", "async"})
  void aFlightRecorderThatIsStartedLaterDoesNotKeepAHeapFromClosing(String what) throws Exception {
    Path here = directory.resolve(what);
    assertThat(FreshJvm.run(ClosedLoaderTest.class, what + " " + here)).isZero();
    Heap.open(here).close();
  }

  /** Starts a flight recorder after the end of a loader: here another test may have one. */
  public static void main(String[] arguments) throws Exception {
    try (var loader = new EndingLoader(Heap.class, LoaderProgram.class)) {
      Function<String, Object> program = loader.make(LoaderProgram.class);
      Object _ = program.apply(arguments[0]);
      loader.end();
      FlightRecorder _ = FlightRecorder.getFlightRecorder();
      Object _ = program.apply("close");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"heap", "async", "asyncJournal"})
  void aFailureIsToldAndTheFilesAreReleased(String what) throws Exception {
    try (var loader = new EndingLoader(Heap.class, LoaderProgram.class)) {
      Function<String, Object> program = loader.make(LoaderProgram.class);
      Object _ = program.apply(what + " " + directory.resolve(what));
      loader.end();
      Object failure = program.apply("fail");
      assertThat((String) failure).startsWith("io.everheap.error.");
      try {
        Object _ = program.apply("close");
      } catch (RuntimeException e) {
        assertThat(e.getClass().getName()).startsWith("io.everheap.error.");
      }
      assertThat(loader.missed()).isEmpty();
    }
  }

  @Test
  void whoeverOpensItInAnotherLoaderIsToldOfThat() throws Exception {
    try (Heap heap = Heap.open(directory.resolve("heap"));
        var loader = new EndingLoader(Heap.class, LoaderProgram.class)) {
      assertThat(heap.isOpen()).isTrue();
      Function<String, Object> program = loader.make(LoaderProgram.class);
      assertThatThrownBy(() -> program.apply("heap " + directory.resolve("heap")))
          .hasMessageContaining("class loader")
          .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
    }
  }
}
