package io.everheap.samples.ledger;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The ledger in a process that is killed between the journal and the heap, and without its heap.
 */
@Tag("process")
class LedgerTest {
  @TempDir Path directory;

  @Test
  void theHeapFollowsTheJournal() throws Exception {
    Process first = start(directory.toString());
    try (BufferedReader said = first.inputReader(UTF_8);
        PrintWriter bookings = new PrintWriter(first.outputWriter(UTF_8), true)) {
      assertThat(said.readLine()).isEqualTo("caught up 0 {}");
      bookings.println("alice 10");
      assertThat(said.readLine()).startsWith("booked ");
      assertThat(said.readLine()).isEqualTo("applied {alice=10}");
      bookings.println("alice much");
      assertThat(said.readLine()).isEqualTo("not a booking: alice much");
      bookings.println("bob -3");
      assertThat(said.readLine()).startsWith("booked "); // perhaps not applied when it is killed
    } finally {
      first.destroyForcibly().waitFor();
    }
    assertThat(caughtUp()).endsWith(" {alice=10, bob=-3}");
    assertThat(caughtUp()).isEqualTo("caught up 0 {alice=10, bob=-3}");

    // An older state of the heap: what came after it is applied again.
    try (Heap heap = Heap.open(directory.resolve("heap"))) {
      heap.removeDeep("balances");
      heap.remove("next sequence");
    }
    assertThat(caughtUp()).isEqualTo("caught up 2 {alice=10, bob=-3}");
  }

  private String caughtUp() throws Exception {
    Process process = start(directory.toString());
    process.getOutputStream().close();
    try (BufferedReader said = process.inputReader(UTF_8)) {
      return said.readLine();
    } finally {
      assertThat(process.waitFor()).isZero();
    }
  }

  private static Process start(String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Ledger.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }
}
