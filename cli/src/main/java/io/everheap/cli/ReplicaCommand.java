package io.everheap.cli;

import io.everheap.error.EverheapException;
import io.everheap.replication.JournalReplica;
import io.everheap.replication.Replica;
import io.everheap.replication.ReplicaStatus;
import io.everheap.replication.Status;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap replica DIR --of HOST:PORT}: keeps a replica until it is interrupted. */
@Command(
    name = "replica",
    description = {
      "Keeps a replica of a heap or a journal that another process has open, until it is"
          + " interrupted. The directory is made from a copy if it has none, encrypted if there is a --key."
          + " One of --secret, --keys and --insecure says how both ends know each other.",
      "Exit code 0: it was interrupted; 1: it follows the primary no more."
    })
final class ReplicaCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the replica.")
  private Path directory;

  @Option(
      names = "--of",
      paramLabel = "HOST:PORT",
      required = true,
      description = "Where the primary is, or may be; can be given several times.")
  private List<String> primaries;

  @Option(
      names = "--anew",
      description =
          "If the primary's log does not go on from the state in DIR, keep DIR as DIR.aside, and"
              + " make it anew.")
  private boolean anew;

  @Option(
      names = "--once",
      description = "End when the replica has what the primary had when it answered.")
  private boolean once;

  @Mixin private PeerOptions peer;
  @Mixin private KeyOptions key;

  @Override
  public Integer call() throws InterruptedException {
    InetSocketAddress[] addresses = PeerOptions.addresses(spec, primaries);
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Thread hook = new Thread(() -> end(ended, closed), "everheap-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return isJournal(addresses) ? followJournal(addresses, ended) : followHeap(addresses, ended);
    } finally {
      closed.countDown();
    }
  }

  /** Whether it is a replica of a journal: as the directory says, or the primary if it is empty. */
  private boolean isJournal(InetSocketAddress[] addresses) {
    if (JournalBackupText.isJournal(directory) || Files.exists(directory.resolve("heap"))) {
      return JournalBackupText.isJournal(directory);
    }
    for (InetSocketAddress address : addresses) {
      try {
        return peer.apply(spec, Status.of(address)).ask().kind().equals("journal");
      } catch (UncheckedIOException | EverheapException e) {
        // the next one may answer; if none does, the opening says why
      }
    }
    return false;
  }

  private int followHeap(InetSocketAddress[] addresses, CountDownLatch ended)
      throws InterruptedException {
    Replica.Builder builder = peer.apply(spec, key.replica(directory)).primary(addresses);
    if (anew) {
      builder.anew();
    }
    try (Replica replica = builder.open()) {
      return follow(replica::status, ended);
    }
  }

  private int followJournal(InetSocketAddress[] addresses, CountDownLatch ended)
      throws InterruptedException {
    JournalReplica.Builder builder =
        peer.apply(spec, key.journalReplica(directory)).primary(addresses);
    if (anew) {
      builder.anew();
    }
    try (JournalReplica replica = builder.open()) {
      return follow(replica::status, ended);
    }
  }

  private int follow(Supplier<ReplicaStatus> replica, CountDownLatch ended)
      throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("Following. Interrupt to end.");
    out.flush();
    boolean done = false;
    String said = null;
    while (!done && replica.get().failure() == null) {
      String problem = replica.get().problem();
      if (problem != null && !problem.equals(said)) {
        out.println("Not connected, trying again: " + problem);
        out.flush();
      }
      said = problem;
      done = ended.await(200, TimeUnit.MILLISECONDS) || (once && isThere(replica.get()));
    }
    ReplicaStatus status = replica.get();
    out.println("The replica has all up to LSN " + status.lsn() + ", term " + status.term() + ".");
    if (status.failure() != null) {
      out.println("It follows no more: " + status.failure());
    }
    out.flush();
    return status.failure() == null ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private static boolean isThere(ReplicaStatus status) {
    return status.silent() >= 0 && status.lag() == 0;
  }

  private static void end(CountDownLatch ended, CountDownLatch closed) {
    ended.countDown();
    try {
      closed.await(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
