package io.everheap.benchmarks.collections;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.medium.EmulatedDaxMedium;
import io.everheap.codec.derived.CodecRegistry;
import io.everheap.collection.DurableDeque;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurablePriorityQueue;
import io.everheap.collection.Shape;
import io.everheap.engine.Engine;
import io.everheap.engine.EngineOptions;
import io.everheap.engine.tx.Transactions;
import io.everheap.structure.Structures;
import io.everheap.structure.common.Definition;
import io.everheap.structure.common.Shapes;
import io.everheap.structure.common.StructureContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Lists, deques and priority queues of longs on emulated persistent memory: each change in a
 * transaction of its own, or a hundred in one; reads next to an {@link ArrayList}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 1, time = 1)
@Fork(5)
public class SequencesBenchmark {
  private static final int BATCH = 100;
  private static final int SIZE = 1_000_000;

  /** A list that has more elements is cleared. */
  private static final int MOST = 4_000_000;

  /** A directory in memory. */
  @Param("/dev/shm")
  public String directory;

  private Path home;
  private Engine engine;
  private Transactions tx;
  private DurableList<Long> growing;
  private DurableList<Long> list;
  private DurableDeque<Long> deque;
  private DurablePriorityQueue<Long> queue;
  private final List<Long> arrayList = new ArrayList<>();
  private long count;
  private int added;
  private int next;

  /** Makes a heap with the measured structures. */
  @Setup
  public void open() throws IOException {
    home = Directories.create(Path.of(directory));
    engine = Engine.open(EmulatedDaxMedium.open(home), EngineOptions.defaults());
    tx = engine.transactions();
    growing = make(DurableList.of(Long.class), 1);
    list = make(DurableList.of(Long.class), 1);
    deque = make(DurableDeque.of(Long.class), 1);
    queue = make(DurablePriorityQueue.of(Long.class), 2);
    arrayList.addAll(LongStream.range(0, SIZE).boxed().toList());
    list.addAll(arrayList);
    for (int i = 0; i < BATCH; i++) {
      deque.add((long) i);
      queue.add((long) i);
    }
  }

  private <S> S make(Shape<S> shape, int types) {
    Definition<S> definition = Shapes.define(Structures.KINDS, shape, new CodecRegistry());
    StructureContext heap = Structures.of(engine.context());
    return definition.attach(heap, definition.create(heap, new long[types]));
  }

  /** Closes and deletes the heap. */
  @TearDown
  public void close() throws IOException {
    engine.close();
    Directories.delete(home);
  }

  /** Appends to a list; durable on return. */
  @Benchmark
  public boolean append() {
    if (++added > MOST) {
      growing.clear();
      added = 0;
    }
    return growing.add(count++);
  }

  /** Appends to a list, a hundred elements in one transaction. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public void appendBatch() {
    added += BATCH;
    if (added > MOST) {
      growing.clear();
      added = 0;
    }
    inTransaction(
        () -> {
          for (int i = 0; i < BATCH; i++) {
            growing.add(count++);
          }
        });
  }

  /** Adds to a deque at one end and takes from the other, each durable: half of it is one. */
  @Benchmark
  @OperationsPerInvocation(2)
  public Long offerAndPoll() {
    deque.offer(count++);
    return deque.poll();
  }

  /** The same, a hundred times in one transaction. */
  @Benchmark
  @OperationsPerInvocation(2 * BATCH)
  public void offerAndPollBatch(Blackhole sink) {
    inTransaction(
        () -> {
          for (int i = 0; i < BATCH; i++) {
            deque.offer(count++);
            sink.consume(deque.poll());
          }
        });
  }

  /**
   * Takes the head of a queue of a hundred elements and adds one that belongs anywhere behind it,
   * each durable: half of it is one.
   */
  @Benchmark
  @OperationsPerInvocation(2)
  public Long priorityQueue() {
    Long head = queue.remove();
    queue.offer(head + (count++ * 7919 & 0x3ff));
    return head;
  }

  private void inTransaction(Runnable body) {
    tx.begin();
    boolean ok = false;
    try {
      body.run();
      ok = true;
    } finally {
      tx.end(ok);
    }
  }

  private int index() {
    next = (int) ((next + 618_033L) % SIZE);
    return next;
  }

  /** An element of a list of a million. */
  @Benchmark
  public Long get() {
    return list.get(index());
  }

  /** An element of an ArrayList of a million. */
  @Benchmark
  public Long getFromArrayList() {
    return arrayList.get(index());
  }

  /** An element of a list of a million, when all are visited. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public void iterate(Blackhole sink) {
    for (Long element : list) {
      sink.consume(element);
    }
  }

  /** An element of an ArrayList of a million, when all are visited. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public void iterateArrayList(Blackhole sink) {
    for (Long element : arrayList) {
      sink.consume(element);
    }
  }
}
