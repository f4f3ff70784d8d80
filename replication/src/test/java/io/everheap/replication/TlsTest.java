package io.everheap.replication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ReplicationException;
import io.everheap.support.tier.Processes;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates that are shown, missing, of strangers, and expired. */
@Processes
class TlsTest {
  private static final InetSocketAddress ANY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir Path dir;

  private Path key(String name, String... more) throws Exception {
    Path store = dir.resolve(name + ".p12");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                name,
                "-dname",
                "CN=" + name,
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD)));
    command.addAll(List.of(more));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return store;
  }

  private static KeyStore load(Path path) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(path)) {
      store.load(in, PASSWORD);
    }
    return store;
  }

  private static SSLContext context(Path own, Map<String, Path> trusted) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load(own), PASSWORD);
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    for (Map.Entry<String, Path> one : trusted.entrySet()) {
      trust.setCertificateEntry(one.getKey(), load(one.getValue()).getCertificate(one.getKey()));
    }
    TrustManagerFactory trusts =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusts.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trusts.getTrustManagers(), null);
    return context;
  }

  @Test
  void bothEndsShowACertificateThatTheOtherTrusts() throws Exception {
    Path primaryKey = key("primary", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
    Path replicaKey = key("replica");
    Path strangerKey = key("stranger");
    Path expiredKey = key("expired", "-startdate", "-10d", "-validity", "1");
    SSLContext primaryTls =
        context(primaryKey, Map.of("replica", replicaKey, "expired", expiredKey));
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary = Primary.of(heap).tls(primaryTls).listen(ANY)) {
      heap.map("m", Integer.class, String.class).put(1, "one");
      primary.copies(1, Duration.ZERO);
      SSLContext replicaTls = context(replicaKey, Map.of("primary", primaryKey));
      try (Replica replica =
          Replica.of(dir.resolve("copy")).primary(primary.address()).tls(replicaTls).open()) {
        heap.map("m", Integer.class, String.class).put(2, "two");
        long end = heap.stats().durableLsn();
        Numbers.until(() -> replica.status().lsn() >= end);
        assertThat(replica.heap().map("m", Integer.class, String.class)).hasSize(2);
        assertThat(Status.of(primary.address()).tls(replicaTls).ask().replicas()).hasSize(1);
      }
      requireRefused(primary, context(strangerKey, Map.of("primary", primaryKey)));
      requireRefused(primary, context(expiredKey, Map.of("primary", primaryKey)));
      requireRefused(primary, context(replicaKey, Map.of("stranger", strangerKey)));
      requireRefused(primary, null);
    }
  }

  /** Whoever has a certificate that the replica trusts is not yet the primary it looks for. */
  @Test
  void aCertificateIsOfTheHostThatIsNamed() throws Exception {
    Path primaryKey = key("primary", "-ext", "SAN=dns:db1.example");
    Path replicaKey = key("replica");
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary =
            Primary.of(heap).tls(context(primaryKey, Map.of("replica", replicaKey))).listen(ANY)) {
      requireRefused(primary, context(replicaKey, Map.of("primary", primaryKey)));
    }
  }

  /** Every certificate of the authority could read and fence. */
  @Test
  void onlyCertificatesThatAreAllowedAreServed() throws Exception {
    Path primaryKey = key("primary", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
    Path replicaKey = key("replica");
    Path printerKey = key("printer");
    SSLContext primaryTls =
        context(primaryKey, Map.of("replica", replicaKey, "printer", printerKey));
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary = Primary.of(heap).tls(primaryTls).allow(isNamed("replica")).listen(ANY)) {
      SSLContext printer = context(printerKey, Map.of("primary", primaryKey));
      requireRefused(primary, printer);
      assertThatThrownBy(() -> Status.of(primary.address()).tls(printer).ask())
          .hasMessageContaining("CN=printer is not allowed");
      SSLContext replicaTls = context(replicaKey, Map.of("primary", primaryKey));
      assertThatThrownBy(
              () ->
                  Replica.of(dir.resolve("refused"))
                      .primary(primary.address())
                      .tls(replicaTls)
                      .allow(isNamed("somebody"))
                      .open())
          .hasMessageContaining("CN=primary is not allowed");
      try (Replica replica =
          Replica.of(dir.resolve("copy"))
              .primary(primary.address())
              .tls(replicaTls)
              .allow(isNamed("primary"))
              .open()) {
        heap.map("m", Integer.class, String.class).put(2, "two");
        Numbers.untilEqual(replica, heap);
      }
    }
  }

  private static Predicate<X509Certificate> isNamed(String name) {
    return certificate -> certificate.getSubjectX500Principal().getName().equals("CN=" + name);
  }

  /** One limit for all of it: each byte of the handshake arrives in time. */
  @Test
  void aHandshakeThatDripsEnds() throws Exception {
    Path primaryKey = key("primary", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
    Path replicaKey = key("replica");
    SSLContext tls = context(primaryKey, Map.of("replica", replicaKey));
    try (Heap heap = Heap.open(dir.resolve("heap"));
        Primary primary = Primary.of(heap).tls(tls).listen(ANY);
        Socket socket = new Socket(primary.address().getAddress(), primary.address().getPort())) {
      byte[] record = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc};
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 500; i++) {
                  socket.getOutputStream().write(i < record.length ? record[i] : 0);
                  LockSupport.parkNanos(100_000_000);
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** The primary that a replica connects to may be somebody else. */
  @Test
  void aReplicaDoesNotWaitForAHandshakeThatDrips() throws Exception {
    Path primaryKey = key("primary", "-ext", "SAN=dns:localhost,ip:127.0.0.1");
    Path replicaKey = key("replica");
    SSLContext tls = context(replicaKey, Map.of("primary", primaryKey));
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                byte[] record = {0x16, 3, 3, 0x40, 0, 2, 0, 0x3f, (byte) 0xfc};
                try (Socket socket = server.accept()) {
                  for (int i = 0; true; i++) {
                    socket.getOutputStream().write(i < record.length ? record[i] : 0);
                    LockSupport.parkNanos(100_000_000);
                  }
                } catch (IOException e) {
                  // it ends
                }
              });
      assertThatThrownBy(
              () ->
                  Replica.of(dir.resolve("copy"))
                      .primary((InetSocketAddress) server.getLocalSocketAddress())
                      .tls(tls)
                      .open())
          .isInstanceOf(ReplicationException.class)
          .hasMessageContaining("did not greet in time");
    }
  }

  private void requireRefused(Primary primary, SSLContext tls) {
    Replica.Builder builder = Replica.of(dir.resolve("refused")).primary(primary.address());
    if (tls == null) {
      builder.insecure();
    } else {
      builder.tls(tls);
    }
    assertThatThrownBy(builder::open)
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("cannot be made");
    assertThat(dir.resolve("refused")).doesNotExist();
  }
}
