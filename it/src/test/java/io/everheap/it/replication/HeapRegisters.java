package io.everheap.it.replication;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.replication.Primary;
import io.everheap.replication.Replica;
import io.everheap.replication.ReplicaStatus;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/** Registers in a map of a heap. Each operation also counts, in the same transaction. */
final class HeapRegisters implements Registers {
  private static final int SEQUENCE = -1;

  private final Heap heap;
  private final DurableMap<Integer, Long> registers;
  private final DurableMap<Integer, Long> counts;

  private HeapRegisters(Heap heap) {
    this.heap = heap;
    var problems = heap.verify().problems();
    if (!problems.isEmpty()) {
      throw new AssertionError(problems);
    }
    check(heap);
    this.registers = heap.map("registers", Integer.class, Long.class);
    this.counts = counts(heap);
  }

  static Registers open(Path directory, Path archive) {
    return new HeapRegisters(Heap.builder(directory).archive(archive).open());
  }

  private static DurableMap<Integer, Long> counts(Heap heap) {
    return heap.map("counts", Integer.class, Long.class);
  }

  /** The clients' counts are those of all operations, or a part of a transaction is there. */
  private static void check(Heap heap) {
    DurableMap<Integer, Long> counts = counts(heap);
    boolean whole =
        heap.read(
            () -> {
              long sum = 0;
              for (int i = 0; i < RegisterNode.CLIENTS; i++) {
                sum += counts.getOrDefault(i, 0L);
              }
              return sum == counts.getOrDefault(SEQUENCE, 0L);
            });
    if (!whole) {
      throw new AssertionError("a part of a transaction is seen");
    }
  }

  @Override
  public Outcome operate(int client, Operation.Kind kind, int key, long value, long expected) {
    return heap.transact(
        () -> {
          long found = registers.getOrDefault(key, 0L);
          long sequence = sequence() + 1;
          counts.put(SEQUENCE, sequence);
          counts.merge(client, 1L, Long::sum);
          if (kind.writes(found, expected)) {
            registers.put(key, value);
          }
          return new Outcome(found, sequence);
        });
  }

  @Override
  public long sequence() {
    return counts.getOrDefault(SEQUENCE, 0L);
  }

  @Override
  public Primary.Builder primary() {
    return Primary.of(heap);
  }

  /** A replica of the heap. */
  static final class Follower implements Registers.Follower {
    private final Replica replica;

    Follower(Path directory, InetSocketAddress primary) {
      replica =
          Replica.of(directory)
              .primary(primary)
              .secret(RegisterNode.secret(directory))
              .anew()
              .open();
    }

    @Override
    public ReplicaStatus status() {
      return replica.status();
    }

    @Override
    public void check() {
      HeapRegisters.check(replica.heap());
    }

    @Override
    public Registers promote() {
      return new HeapRegisters(replica.promote());
    }
  }
}
