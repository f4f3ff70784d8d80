package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.JmhPart;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import io.everheap.benchmarks.tx.DaxFloorBenchmark;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, queues, arrays and blocks on emulated persistent memory, next to those of the JDK. */
final class DaxPart extends JmhPart {
  static final String FLOOR = "dax/append-line";
  static final String JDK = "jdk";
  static final String MEDIUM = "emulated-dax";

  DaxPart() {
    super("dax", 0.5, true);
  }

  @Override
  protected List<Entry> entries() {
    Class<?> sequences = SequencesBenchmark.class;
    Class<?> blocks = BlockBenchmark.class;
    return List.of(
        new Entry(
            new Case(FLOOR, Case.FLOOR, Level.S, MEDIUM, 1, Case.NS_PER_OP, null),
            DaxFloorBenchmark.class,
            "append"),
        new Entry(change("list/append"), sequences, "append"),
        new Entry(change("list/append-of-100"), sequences, "appendBatch"),
        new Entry(change("deque/offer-poll"), sequences, "offerAndPoll"),
        new Entry(change("deque/offer-poll-of-100"), sequences, "offerAndPollBatch"),
        new Entry(change("priority-queue/offer-poll"), sequences, "priorityQueue"),
        new Entry(change("block/set"), blocks, "blockSet"),
        new Entry(change("array/set"), blocks, "arraySet"),
        new Entry(read("list/get-1m"), sequences, "get"),
        new Entry(jdk("list/get-1m"), sequences, "getFromArrayList"),
        new Entry(read("list/iterate-1m"), sequences, "iterate"),
        new Entry(jdk("list/iterate-1m"), sequences, "iterateArrayList"),
        new Entry(read("block/get"), blocks, "blockGet"),
        new Entry(read("block/get-compact"), blocks, "compactGet"),
        new Entry(read("array/get"), blocks, "arrayGet"),
        new Entry(jdk("array/get"), blocks, "plainGet"));
  }

  private static Case change(String name) {
    return new Case(name, Case.EVERHEAP, Level.S, MEDIUM, 1, Case.NS_PER_OP, FLOOR);
  }

  private static Case read(String name) {
    return new Case(name, Case.EVERHEAP, Level.S, MEDIUM, 1, Case.NS_PER_OP, null);
  }

  private static Case jdk(String name) {
    return new Case(name, JDK, Level.V, "java-heap", 1, Case.NS_PER_OP, null);
  }

  @Override
  protected @Nullable String obstacle(Run run, String peer) {
    return peer.equals(JDK) ? null : EmulatedDaxMedium.obstacle(run.memory());
  }
}
