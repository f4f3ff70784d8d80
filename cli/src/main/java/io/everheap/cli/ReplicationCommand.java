package io.everheap.cli;

import io.everheap.replication.ReplicationStatus;
import io.everheap.replication.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code everheap replication HOST:PORT}: what a primary and its replicas do. */
@Command(
    name = "replication",
    description = {
      "Shows what a primary does, and how far its replicas are. One of --secret, --keys and"
          + " --insecure says how both ends know each other.",
      "Exit code 0: it commits as it should; 1: it is fenced, or too few replicas acknowledge."
    })
final class ReplicationCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "HOST:PORT", description = "Where the primary is.")
  private String primary;

  @Option(names = "--json", description = "Print JSON instead of text.")
  private boolean json;

  @Mixin private PeerOptions peer;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    ReplicationStatus status =
        peer.apply(spec, Status.of(PeerOptions.address(spec, primary))).ask();
    if (json) {
      printJson(out, status);
    } else {
      print(out, status);
    }
    out.flush();
    return status.fenced() || status.degraded() ? ExitCode.SOFTWARE : ExitCode.OK;
  }

  private static void print(PrintWriter out, ReplicationStatus status) {
    out.println(
        (status.kind().equals("journal") ? "Journal   " : "Heap      ")
            + status.location()
            + ", term "
            + status.term());
    out.println(
        "State     "
            + (status.fenced()
                ? "FENCED: a replica was promoted in its place"
                : status.degraded()
                    ? "DEGRADED: commits do not wait, since too few replicas acknowledge"
                    : status.copies() == 0
                        ? "commits do not wait for replicas"
                        : "commits wait for " + status.copies() + " of the replicas"));
    out.println("Durable   LSN " + status.durable());
    for (ReplicationStatus.Copy copy : status.replicas()) {
      out.println(
          String.format(
              Locale.ROOT,
              "Replica   %s at %s since %s: %s",
              copy.name(),
              copy.address(),
              copy.since(),
              copy.acknowledged() < 0
                  ? "joining"
                  : "LSN " + copy.acknowledged() + ", " + Text.bytes(copy.lag()) + " behind"));
    }
    if (status.replicas().isEmpty()) {
      out.println("Replica   none is connected");
    }
  }

  private static void printJson(PrintWriter out, ReplicationStatus status) throws IOException {
    Json.document(
        out,
        generator -> {
          generator.writeStartObject();
          generator.writeStringField("kind", status.kind());
          generator.writeStringField("location", status.location());
          generator.writeNumberField("term", status.term());
          generator.writeBooleanField("fenced", status.fenced());
          generator.writeNumberField("durableLsn", status.durable());
          generator.writeNumberField("copies", status.copies());
          generator.writeBooleanField("degraded", status.degraded());
          generator.writeArrayFieldStart("replicas");
          for (ReplicationStatus.Copy copy : status.replicas()) {
            generator.writeStartObject();
            generator.writeStringField("name", copy.name());
            generator.writeStringField("address", copy.address());
            generator.writeStringField("since", copy.since().toString());
            generator.writeNumberField("acknowledgedLsn", copy.acknowledged());
            generator.writeNumberField("lag", copy.lag());
            generator.writeEndObject();
          }
          generator.writeEndArray();
          generator.writeEndObject();
        });
  }
}
