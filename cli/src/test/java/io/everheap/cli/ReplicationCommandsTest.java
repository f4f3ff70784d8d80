package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.encryption.KeyProvider;
import io.everheap.journal.Journal;
import io.everheap.replication.Primary;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands of replication do and print. */
@Campaign
class ReplicationCommandsTest extends CommandFixture {
  @TempDir Path dir;

  private Path secret() {
    return dir.resolve("secret");
  }

  @Test
  void aReplicaIsMadeAndPromoted() {
    Path copy = dir.resolve("copy");
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary =
            Primary.of(heap)
                .secret(secret())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      heap.map("m", Integer.class, String.class).put(1, "one");
      String address = "localhost:" + primary.address().getPort();
      assertThat(
              run(
                  "replica",
                  copy.toString(),
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once"))
          .isZero();
      assertThat(out.toString()).contains("The replica has all up to LSN");
      heap.map("m", Integer.class, String.class).put(2, "two");
      assertThat(
              run(
                  "replica",
                  copy.toString(),
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once"))
          .isZero();
      assertThat(run("replication", address, "--secret", secret().toString())).isZero();
      assertThat(out.toString()).contains("commits do not wait for replicas").contains("term 0");
      assertThat(run("replication", "--json", "--secret", secret().toString(), address)).isZero();
      assertThat(out.toString().replace(" ", "")).contains("\"fenced\":false");
      primary.copies(1, Duration.ZERO);
      heap.map("m", Integer.class, String.class).put(3, "three");
      Limit.until("the primary knows of no replica", () -> primary.status().replicas().isEmpty());
      assertThat(run("replication", address, "--secret", secret().toString())).isEqualTo(1);
      assertThat(out.toString()).contains("DEGRADED").contains("none is connected");
      assertThat(
              run(
                  "replica",
                  copy.toString(),
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once"))
          .isZero();
    }
    assertThat(run("get", copy.toString(), "m", "2")).as(out.toString()).isZero();
    assertThat(out.toString()).contains("two");
    assertThat(run("put", copy.toString(), "m", "4", "four")).isNotZero();
    assertThat(out.toString()).contains("promote");
    assertThat(run("promote", copy.toString())).isZero();
    assertThat(out.toString()).containsPattern("term [1-9]");
    assertThat(run("put", copy.toString(), "m", "4", "four")).as(out.toString()).isZero();
  }

  @Test
  void encryptedHeapsHaveEncryptedCopies() throws Exception {
    Path file = Files.writeString(dir.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    String key = "file:" + file;
    String heap = dir.resolve("heap").toString();
    String mirror = dir.resolve("mirror").toString();
    String copy = dir.resolve("copy").toString();
    assertThat(run("create", "--encrypt", "--key", key, heap)).isZero();
    assertThat(run("mirror", "--key", key, heap, mirror)).as(out.toString()).isZero();
    assertThat(run("scrub", "--key", key, "--repair-from", mirror, heap)).isZero();
    try (Heap open = Heap.builder(dir.resolve("heap")).encrypt(KeyProvider.file(file)).open();
        Primary primary =
            Primary.of(open)
                .secret(secret())
                .listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
      open.map("m", Integer.class, String.class).put(1, "one");
      String address = "localhost:" + primary.address().getPort();
      assertThat(run("replica", copy, "--of", address, "--secret", secret().toString(), "--once"))
          .isNotZero();
      assertThat(out.toString()).contains("--key");
      assertThat(
              run(
                  "replica",
                  copy,
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once",
                  "--key",
                  key))
          .isZero();
    }
    assertThat(run("promote", copy)).isNotZero();
    assertThat(run("promote", "--key", key, copy)).isZero();
    assertThat(run("get", "--key", key, copy, "m", "1")).isZero();
    assertThat(out.toString()).contains("one");
  }

  @Test
  void aReplicaOfAJournalIsMadeShownAndPromoted() throws IOException {
    Path copy = dir.resolve("copy");
    try (Journal journal = Journal.open(dir.resolve("journal"));
        Primary primary =
            Primary.of(journal).secret(secret()).listen(new InetSocketAddress("localhost", 0))) {
      String address = "localhost:" + primary.address().getPort();
      journal.append("one".getBytes(StandardCharsets.UTF_8));
      assertThat(
              run(
                  "replica",
                  copy.toString(),
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once"))
          .as(out.toString())
          .isZero();
      journal.append("two".getBytes(StandardCharsets.UTF_8));
      assertThat(
              run(
                  "replica",
                  copy.toString(),
                  "--of",
                  address,
                  "--secret",
                  secret().toString(),
                  "--once"))
          .isZero();
      assertThat(run("replication", address, "--secret", secret().toString())).isZero();
      assertThat(out.toString()).contains("Journal").contains("term 0");
    }
    assertThat(run("journal", "tail", copy.toString())).as(out.toString()).isZero();
    assertThat(out.toString()).contains("one").contains("two");
    assertThat(run("journal", "verify", copy.toString())).isZero();
    Files.writeString(dir.resolve("lines"), "three");
    assertThat(run("journal", "append", copy.toString(), "--file", dir.resolve("lines").toString()))
        .isNotZero();
    assertThat(out.toString()).contains("promote");
    assertThat(run("promote", copy.toString())).isZero();
    assertThat(out.toString()).contains("The journal in").containsPattern("term [1-9]");
    assertThat(run("promote", copy.toString())).isNotZero();
    try (Journal journal = Journal.open(copy)) {
      assertThat(journal.append(new byte[0])).isEqualTo(2);
    }
  }

  @Test
  void aMirrorIsMadeAndBroughtUpToDate() {
    Path heap = dir.resolve("heap");
    Path mirror = dir.resolve("mirror");
    for (int i = 1; i <= 2; i++) {
      try (Heap opened = Heap.open(heap)) {
        opened.map("m", Integer.class, String.class).put(i, "value " + i);
      }
      assertThat(run("mirror", heap.toString(), mirror.toString())).as(out.toString()).isZero();
      assertThat(out.toString()).contains("The mirror has all up to LSN");
      assertThat(run("get", mirror.toString(), "m", "" + i)).isZero();
      assertThat(out.toString()).contains("value " + i);
    }
    assertThat(run("mirror", dir.resolve("none").toString(), mirror.toString())).isNotZero();
    assertThat(out.toString()).contains("there is no heap");
    assertThat(dir.resolve("none")).doesNotExist();
  }

  @Test
  void whatIsNoAddressIsNamed() {
    assertThat(run("replication", "nowhere", "--insecure")).isEqualTo(2);
    assertThat(out.toString()).contains("not a HOST:PORT");
    String copy = dir.resolve("x").toString();
    assertThat(run("replica", copy, "--of", "localhost:1", "--insecure")).isNotZero();
    assertThat(out.toString()).contains("no answer from");
    assertThat(run("promote", dir.resolve("nothing").toString())).isNotZero();
  }

  @Test
  void noCommandConnectsUnlessItIsSaidHow() {
    String copy = dir.resolve("x").toString();
    String none = dir.resolve("none").toString();
    for (String[] how :
        new String[][] {{}, {"--insecure", "--secret", none}, {"--keys", none, "--insecure"}}) {
      assertThat(run(Stream.concat(Stream.of("replication", "localhost:1"), Stream.of(how))))
          .isEqualTo(2);
      assertThat(
              run(Stream.concat(Stream.of("replica", copy, "--of", "localhost:1"), Stream.of(how))))
          .isEqualTo(2);
      assertThat(out.toString()).contains("one of --secret FILE, --keys FILE and --insecure");
    }
    assertThat(run("replication", "localhost:1", "--secret", none)).isNotZero();
    assertThat(out.toString()).contains("There is no secret in");
  }

  private int run(Stream<String> arguments) {
    return run(arguments.toArray(String[]::new));
  }

  @Test
  void anOrdinaryHeapIsNotPromoted() {
    Heap.open(dir.resolve("heap")).close();
    assertThat(run("promote", dir.resolve("heap").toString())).isNotZero();
    assertThat(out.toString()).contains("never was a replica");
    Heap.open(dir.resolve("heap")).close();
  }
}
