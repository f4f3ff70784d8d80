package io.everheap.benchmarks.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What {@code perf stat -x,} prints. */
class InstructionsTest {
  @Test
  void theCountIsTheFirstField() {
    assertThat(Instructions.parse("1234567,,instructions:u,1000,100.00,,\n")).hasValue(1_234_567);
  }

  @Test
  void aMachineWithoutTheCounterCountsNothing() {
    assertThat(Instructions.parse("<not supported>,,instructions:u,0,100.00,,\n")).isEmpty();
    assertThat(Instructions.parse("<not counted>,,instructions:u,0,0.00,,\n")).isEmpty();
    assertThat(Instructions.parse("Access to performance monitoring is limited.\n")).isEmpty();
  }
}
