package io.everheap.check;

import io.everheap.engine.FileCheck;
import io.everheap.error.CorruptException;
import io.everheap.error.EverheapException;
import io.everheap.memory.Medium;
import io.everheap.report.VerifyReport;
import io.everheap.report.VerifyReport.Problem;
import java.util.ArrayList;
import java.util.List;

/**
 * The report on a heap that cannot be opened. Immutable; reading the report reads the medium.
 *
 * @param medium that holds it
 * @param failure why it does not open
 */
public record UnopenableHeap(Medium medium, EverheapException failure) {
  /** Reports why the heap does not open, and which superblocks are damaged. */
  public VerifyReport report() {
    List<Problem> problems = new ArrayList<>();
    problems.add(why());
    for (FileCheck.Finding f : FileCheck.superblocks(medium)) {
      problems.add(new Problem(f.kind(), "", f.file(), f.offset(), "", f.message()));
    }
    List<String> notChecked =
        List.of("the structures and blocks: the heap cannot be opened as it is");
    return new VerifyReport(
        problems,
        problems.size(),
        List.of(),
        0,
        List.of(),
        0,
        List.of(),
        0,
        0,
        notChecked,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0);
  }

  private Problem why() {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof CorruptException damage && damage.kind() == CorruptException.Kind.LOG) {
      String prefix = medium.location() + "/";
      String path = damage.path().orElse("");
      String file = path.startsWith(prefix) ? path.substring(prefix.length()) : path;
      return new Problem("log", "", file, damage.offset().orElse(0), "", message);
    }
    return new Problem("home file", "", FileCheck.HOME, 0, "", message);
  }
}
