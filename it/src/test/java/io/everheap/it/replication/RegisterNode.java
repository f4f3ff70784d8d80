package io.everheap.it.replication;

import io.everheap.error.EverheapException;
import io.everheap.error.FencedException;
import io.everheap.replication.Primary;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/**
 * A primary or a replica of registers. Clients of the primary read, write, and compare and set, and
 * tell of each call before and after it. A replica follows until a file appears, and is then
 * promoted.
 */
public final class RegisterNode {
  static final int CLIENTS = 4;
  static final int REGISTERS = 5;
  static final int PORT = 7400;

  private static final int VALUE_BITS = 40;
  private static final long LOOK_NANOS = 2_000_000;

  private final Registers.Place place;
  private final Path directory;
  private final Path archive;
  private final int copies;
  private final InetSocketAddress own;
  private final InetSocketAddress other;
  private final Path promotion;
  private final long number;

  private RegisterNode(String[] arguments) {
    place = Registers.Place.valueOf(arguments[1]);
    directory = Path.of(arguments[2]);
    archive = Path.of(arguments[3]);
    copies = Integer.parseInt(arguments[4]);
    own = new InetSocketAddress(arguments[5], PORT);
    other = new InetSocketAddress(arguments[6], PORT);
    promotion = Path.of(arguments[7]);
    number = Long.parseLong(arguments[8]);
  }

  /**
   * Works until it is killed; arguments: {@code primary}, {@code replica} or {@code mistake}, the
   * place of the registers, its directory, the directory of archives, copies, the own address, the
   * other one, the file, and a number that no other node had.
   */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but reports may go to descriptor 1
    RegisterNode node = new RegisterNode(arguments);
    try {
      switch (arguments[0]) {
        case "primary" -> node.serve(node.open(), builder -> builder);
        case "replica" -> node.follow();
        case "mistake" -> node.beFenced();
        default -> throw new IllegalArgumentException(arguments[0]);
      }
    } catch (Throwable e) {
      e.printStackTrace();
      Runtime.getRuntime().halt(1);
    }
  }

  /** The secret of a cluster, whose nodes have directories beside each other. */
  static Path secret(Path directory) {
    return directory.resolveSibling("secret");
  }

  private Registers open() {
    return place.open(directory, archive);
  }

  private void serve(Registers registers, UnaryOperator<Primary.Builder> settings) {
    long sequence = registers.sequence();
    Primary primary = settings.apply(registers.primary().secret(secret(directory))).listen(own);
    primary.copies(copies);
    Report.tell(Report.SERVES, sequence);
    for (int i = 0; i < CLIENTS; i++) {
      int client = i;
      Thread.ofPlatform().start(() -> new Client(registers, client).run());
    }
  }

  /** A former primary that is started as one again. */
  private void beFenced() {
    try {
      serve(open(), builder -> builder.peers(other));
    } catch (FencedException e) {
      Report.tell(Report.FENCED, 0);
      LockSupport.park();
    }
  }

  private void follow() throws IOException {
    Registers.Follower replica = place.follow(directory, other);
    Report.tell(Report.FOLLOWS, 0);
    while (!Files.exists(promotion)) {
      String failure = replica.status().failure();
      if (failure != null) {
        throw new AssertionError(failure);
      }
      replica.check();
      LockSupport.parkNanos(LOOK_NANOS);
    }
    Files.delete(promotion);
    serve(replica.promote(), builder -> builder);
  }

  private final class Client {
    private final Registers registers;
    private final int client;
    private final SplittableRandom random;
    private final long[] last = new long[REGISTERS];
    private long written;

    Client(Registers registers, int client) {
      this.registers = registers;
      this.client = client;
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

    private void operate() {
      Operation.Kind kind = Operation.Kind.of(random.nextInt(3));
      int key = random.nextInt(REGISTERS);
      long value = ((number * CLIENTS + client) << VALUE_BITS) + ++written;
      long expected = last[key];
      Report call =
          new Report(
              Report.CALLED, client, kind.number(), key, value, expected, 0, 0, System.nanoTime());
      call.tell();
      Registers.Outcome outcome = registers.operate(client, kind, key, value, expected);
      long end = System.nanoTime();
      last[key] = kind.writes(outcome.found(), expected) ? value : outcome.found();
      new Report(
              Report.RETURNED,
              client,
              kind.number(),
              key,
              value,
              expected,
              outcome.found(),
              outcome.sequence(),
              end)
          .tell();
    }
  }
}
