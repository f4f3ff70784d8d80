package io.everheap.testkit.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * How far a reader of the code walks to follow an operation. {@code target/trace/put.txt} has the
 * calls in order; those into another package than the caller's are marked.
 */
@Campaign
class CallTraceTest {
  private static final int MAX_PACKAGE_CHANGES = 195;

  @Test
  @SuppressWarnings("unchecked") // as it is declared
  void aPutOfANewKeyStaysInFewPackages() throws ReflectiveOperationException, IOException {
    var calls =
        (List<String>)
            new TracingLoader()
                .loadClass(TracedPut.class.getName())
                .getMethod("calls")
                .invoke(null);
    var figures = new CallTrace.Figures(calls);
    Path report = Files.createDirectories(Path.of("target", "trace")).resolve("put.txt");
    Files.write(report, calls);
    assertThat(figures.acrossPackages()).as("%s", figures).isPositive();
    assertThat(figures.changesOfPackage())
        .as("a put of a new key: %s; see %s", figures, report)
        .isLessThanOrEqualTo(MAX_PACKAGE_CHANGES);
  }
}
