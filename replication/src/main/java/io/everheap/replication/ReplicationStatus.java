package io.everheap.replication;

import io.everheap.error.ReplicationException;
import io.everheap.stability.Evolving;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a primary does.
 *
 * @param kind {@code heap} or {@code journal}: what it replicates; LSNs of a journal are positions
 * @param location of it
 * @param id of the heap or journal, the same as that of its replicas
 * @param term 0 before any promotion; of two primaries of one heap the one with the higher term
 *     fences the other
 * @param fenced whether a replica was promoted in its place, so that it commits nothing any more
 * @param durable the LSN up to which the log is durable on the primary
 * @param copies the number of replicas for which commits wait; 0 for none
 * @param degraded whether commits do not wait, since too few replicas acknowledge
 * @param replicas that are connected
 * @since 0.9
 */
@Evolving
public record ReplicationStatus(
    String kind,
    String location,
    UUID id,
    long term,
    boolean fenced,
    long durable,
    int copies,
    boolean degraded,
    List<Copy> replicas) {

  /**
   * A replica that is connected.
   *
   * @param name that it gave itself
   * @param address from which it is connected
   * @param since when
   * @param acknowledged the LSN up to which it has the log, durably; negative if it has not said
   * @param lag bytes of the log that it has not acknowledged
   */
  public record Copy(String name, String address, Instant since, long acknowledged, long lag) {}

  /** Copies the list. */
  public ReplicationStatus {
    replicas = List.copyOf(replicas);
  }

  byte[] encode() {
    StringBuilder text = new StringBuilder();
    line(text, "kind", kind);
    line(text, "location", location);
    line(text, "id", id);
    line(text, "term", term);
    line(text, "fenced", fenced);
    line(text, "durable", durable);
    line(text, "copies", copies);
    line(text, "degraded", degraded);
    for (Copy c : replicas) {
      line(text, "replica", c.name);
      line(text, "address", c.address);
      line(text, "since", c.since);
      line(text, "acknowledged", c.acknowledged);
      line(text, "lag", c.lag);
    }
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void line(StringBuilder text, String key, Object value) {
    text.append(key).append('=').append(String.valueOf(value).replaceAll("\\R", " ")).append('\n');
  }

  static ReplicationStatus decode(ByteBuffer b, String peer) {
    List<String[]> lines =
        StandardCharsets.UTF_8
            .decode(b)
            .toString()
            .lines()
            .map(line -> line.split("=", 2))
            .toList();
    try {
      List<Copy> replicas = new ArrayList<>();
      for (int i = 8; i + 4 < lines.size(); i += 5) {
        replicas.add(
            new Copy(
                value(lines, i, "replica"),
                value(lines, i + 1, "address"),
                Instant.parse(value(lines, i + 2, "since")),
                Long.parseLong(value(lines, i + 3, "acknowledged")),
                Long.parseLong(value(lines, i + 4, "lag"))));
      }
      return new ReplicationStatus(
          value(lines, 0, "kind"),
          value(lines, 1, "location"),
          UUID.fromString(value(lines, 2, "id")),
          Long.parseLong(value(lines, 3, "term")),
          Boolean.parseBoolean(value(lines, 4, "fenced")),
          Long.parseLong(value(lines, 5, "durable")),
          Integer.parseInt(value(lines, 6, "copies")),
          Boolean.parseBoolean(value(lines, 7, "degraded")),
          replicas);
    } catch (RuntimeException e) {
      throw new ReplicationException(peer + " sent a status that cannot be read.", e);
    }
  }

  private static String value(List<String[]> lines, int i, String key) {
    String[] line = lines.get(i);
    if (line.length != 2 || !line[0].equals(key)) {
      throw new IllegalArgumentException("not " + key);
    }
    return Printable.of(line[1]);
  }
}
