package io.everheap.it.replication;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.EverheapException;
import io.everheap.error.FencedException;
import io.everheap.replication.Primary;
import io.everheap.replication.Replica;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * A primary or a replica of a heap with registers. Clients of the primary read, write, and compare
 * and set, and tell of each call before and after it. A replica follows until a file appears, and
 * is then promoted. Each operation counts in the same transaction, also those that only read: so
 * its commit waits for the copies, and it cannot have seen what is lost later.
 */
public final class RegisterNode {
  static final int CLIENTS = 4;
  static final int REGISTERS = 5;
  static final int PORT = 7400;

  private static final int SEQUENCE = -1;
  private static final int VALUE_BITS = 40;
  private static final long LOOK_NANOS = 2_000_000;

  private final Path directory;
  private final Path archive;
  private final int copies;
  private final InetSocketAddress own;
  private final InetSocketAddress other;
  private final Path promotion;
  private final long number;

  private RegisterNode(String[] arguments) {
    directory = Path.of(arguments[1]);
    archive = Path.of(arguments[2]);
    copies = Integer.parseInt(arguments[3]);
    own = new InetSocketAddress(arguments[4], PORT);
    other = new InetSocketAddress(arguments[5], PORT);
    promotion = Path.of(arguments[6]);
    number = Long.parseLong(arguments[7]);
  }

  /**
   * Works until it is killed; arguments: {@code primary}, {@code replica} or {@code mistake}, the
   * heap, the directory of archives, copies, the own address, the other one, the file, and a number
   * that no other node had.
   */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but reports may go to descriptor 1
    RegisterNode node = new RegisterNode(arguments);
    try {
      switch (arguments[0]) {
        case "primary" -> node.serve(node.open(), Primary.Builder::insecure);
        case "replica" -> node.follow();
        case "mistake" -> node.beFenced();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  private Heap open() {
    return Heap.builder(directory).archive(archive).open();
  }

  private interface Settings {
    Primary.Builder of(Primary.Builder builder);
  }

  private void serve(Heap heap, Settings settings) {
    var problems = heap.verify().problems();
    long sequence = sequence(heap);
    if (!isWhole(heap) || !problems.isEmpty()) {
      throw new AssertionError("a part of a transaction, or: " + problems);
    }
    Primary primary = settings.of(Primary.of(heap)).listen(own);
    primary.copies(copies);
    Report.tell(Report.SERVES, sequence);
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      Thread.ofPlatform().start(() -> new Client(heap, client).run());
    }
  }

  /** A former primary that is started as one again. */
  private void beFenced() {
    try {
      serve(open(), builder -> builder.insecure().peers(other));
    } catch (FencedException e) {
      Report.tell(Report.FENCED, 0);
      LockSupport.park();
    }
  }

  private void follow() throws Exception {
    Replica replica = Replica.of(directory).primary(other).insecure().anew().open();
    Report.tell(Report.FOLLOWS, 0);
    while (!Files.exists(promotion)) {
      String failure = replica.status().failure();
      if (failure != null) {
        throw new AssertionError(failure);
      }
      if (!isWhole(replica.heap())) {
        throw new AssertionError("a part of a transaction is seen");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    Files.delete(promotion);
    serve(replica.promote(), Primary.Builder::insecure);
  }

  private static DurableMap<Integer, Long> counts(Heap heap) {
    return heap.map("counts", Integer.class, Long.class);
  }

  private static long sequence(Heap heap) {
    return counts(heap).getOrDefault(SEQUENCE, 0L);
  }

  private static boolean isWhole(Heap heap) {
    DurableMap<Integer, Long> counts = counts(heap);
    return heap.read(
        () -> {
          long sum = 0;
          for (int i = 0; i < CLIENTS; i++) {
            sum += counts.getOrDefault(i, 0L);
          }
          return sum == counts.getOrDefault(SEQUENCE, 0L);
        });
  }

  private final class Client {
    private final Heap heap;
    private final int client;
    private final DurableMap<Integer, Long> registers;
    private final DurableMap<Integer, Long> counts;
    private final SplittableRandom random;
    private final long[] last = new long[REGISTERS];
    private long written;

    Client(Heap heap, int client) {
      this.heap = heap;
      this.client = client;
      this.registers = heap.map("registers", Integer.class, Long.class);
      this.counts = counts(heap);
      this.random = new SplittableRandom(number * CLIENTS + client);
    }

    void run() {
      try {
        while (true) {
          operate();
        }
      } catch (EverheapException e) {
        System.err.println("client " + client + " ends: " + e); // fenced: nobody knows what became
      } catch (Throwable e) {
        e.printStackTrace();
        Runtime.getRuntime().halt(1);
      }
    }

    private static boolean writes(Operation.Kind kind, long found, long expected) {
      return switch (kind) {
        case READ -> false;
        case WRITE -> true;
        case COMPARE_AND_SET -> found == expected;
      };
    }

    private void operate() {
      Operation.Kind kind = Operation.Kind.of(random.nextInt(3));
      int key = random.nextInt(REGISTERS);
      long value = ((number * CLIENTS + client) << VALUE_BITS) + ++written;
      long expected = last[key];
      long[] result = new long[2];
      Report call =
          new Report(
              Report.CALLED, client, kind.number(), key, value, expected, 0, 0, System.nanoTime());
      call.tell();
      heap.transact(
          () -> {
            result[0] = registers.getOrDefault(key, 0L);
            result[1] = counts.getOrDefault(SEQUENCE, 0L) + 1;
            counts.put(SEQUENCE, result[1]);
            counts.merge(client, 1L, Long::sum);
            if (writes(kind, result[0], expected)) {
              registers.put(key, value);
            }
          });
      long end = System.nanoTime();
      last[key] = writes(kind, result[0], expected) ? value : result[0];
      new Report(
              Report.RETURNED,
              client,
              kind.number(),
              key,
              value,
              expected,
              result[0],
              result[1],
              end)
          .tell();
    }
  }
}
