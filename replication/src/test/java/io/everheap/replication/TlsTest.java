package io.everheap.replication;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.error.ReplicationException;
import io.everheap.support.tier.Processes;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
        assertThat(Status.of(primary.address(), replicaTls, false).replicas()).hasSize(1);
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

  private void requireRefused(Primary primary, SSLContext tls) {
    Replica.Builder builder = Replica.of(dir.resolve("refused")).primary(primary.address());
    if (tls != null) {
      builder.tls(tls);
    }
    assertThatThrownBy(builder::open)
        .isInstanceOf(ReplicationException.class)
        .hasMessageContaining("cannot be made");
    assertThat(dir.resolve("refused")).doesNotExist();
  }
}
