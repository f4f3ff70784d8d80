package io.everheap.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Processes;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Web applications in one Tomcat, each with its own copy of the library: side by side, stopped and
 * started again, and one that forgets to close its data. {@link WebProgram} has the steps.
 */
@Processes
class WebApplicationsTest {
  @TempDir private Path directory;

  @Test
  void twoApplicationsHaveSeparateHeaps() throws Exception {
    run("separateHeaps");
  }

  @Test
  void theSecondApplicationOfADirectoryIsRefused() throws Exception {
    run("sameDirectory");
  }

  @Test
  void aRedeployedApplicationFindsItsDataAndLeavesNothingBehind() throws Exception {
    run("redeployments");
  }

  @Test
  void theFlightRecorderKeepsNoStoppedApplication() throws Exception {
    run("recordedRedeployments");
  }

  /** Only the end of the process releases data that an application did not close. */
  @Test
  void anApplicationThatForgetsToCloseIsRefusedWhenItStartsAgain() throws Exception {
    run("unclosed");
    try (Heap heap = Heap.open(directory.resolve("a").resolve("heap"))) {
      assertThat(heap.map("visits", Long.class, CountingApplication.Visit.class)).hasSize(1);
    }
  }

  private void run(String scenario) throws Exception {
    assertThat(FreshJvm.run(WebServer.OPTIONS, WebProgram.class, scenario, directory.toString()))
        .isZero();
  }
}
