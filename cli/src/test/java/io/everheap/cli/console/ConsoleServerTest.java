package io.everheap.cli.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.cli.KeyOptions;
import io.everheap.collection.DurableMap;
import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.error.LockedException;
import io.everheap.error.MissingException;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.IOException;
import java.math.BigInteger;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Whom the console serves, and what: requests as no browser sends them. */
class ConsoleServerTest {
  @TempDir private Path temporary;
  private Path directory;
  private ConsoleServer server;
  private int port;
  private String token;

  @BeforeEach
  void start() throws IOException {
    directory = temporary.resolve("heap");
    try (Heap heap = Heap.open(directory)) {
      heap.map("map", String.class, Long.class).put("key", 7L);
      heap.sortedMap("sorted", Long.class, Long.class).put(5L, 6L);
    }
    server = ConsoleServer.start(directory, new KeyOptions(), 0);
    URI address = URI.create(server.address());
    port = address.getPort();
    token = address.getFragment();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void withoutTheTokenThereIsNoAnswer() throws IOException {
    for (String header :
        List.of(
            "",
            "Authorization: Bearer " + "0".repeat(48),
            "Authorization: Bearer " + token + "0",
            "Authorization: " + token,
            "Cookie: everheap-" + port + "=" + token)) {
      assertThat(get("/api/overview", header)).as(header).startsWith("HTTP/1.1 401");
      assertThat(get("/api/live", header)).as(header).startsWith("HTTP/1.1 401");
      assertThat(post("/api/verify/start", header)).as(header).startsWith("HTTP/1.1 401");
    }
    assertThat(get("/", "")).startsWith("HTTP/1.1 200").doesNotContain(token, directory.toString());
  }

  @Test
  void noCookieIsSet() throws IOException {
    assertThat(get("/", "")).doesNotContainIgnoringCase("set-cookie");
    assertThat(get("/api/overview", session()))
        .startsWith("HTTP/1.1 200")
        .contains("\"sorted\"")
        .doesNotContainIgnoringCase("set-cookie");
  }

  @Test
  void anotherNameOfTheHostIsRefused() throws IOException {
    String session = session();
    for (String host :
        List.of("evil.example:" + port, "127.0.0.1", "127.0.0.1:1", "127.0.0.1:" + port + ".x")) {
      assertThat(send("GET /api/overview HTTP/1.1\r\nHost: " + host + "\r\n" + session + "\r\n"))
          .as(host)
          .startsWith("HTTP/1.1 403");
      assertThat(send("GET / HTTP/1.1\r\nHost: " + host + "\r\n")).startsWith("HTTP/1.1 403");
    }
    assertThat(send("GET /api/overview HTTP/1.1\r\n" + session + "\r\n"))
        .doesNotStartWith("HTTP/1.1 200");
  }

  @Test
  void anotherOriginIsRefused() throws IOException {
    String session = session();
    for (String origin :
        List.of("http://evil.example", "null", "https://127.0.0.1:" + port, "http://127.0.0.1:1")) {
      assertThat(get("/api/overview", session + "\r\nOrigin: " + origin))
          .as(origin)
          .startsWith("HTTP/1.1 403");
      assertThat(post("/api/verify/start", session + "\r\nOrigin: " + origin))
          .startsWith("HTTP/1.1 403");
    }
    assertThat(get("/api/overview", session + "\r\nSec-Fetch-Site: cross-site"))
        .startsWith("HTTP/1.1 403");
    assertThat(get("/api/overview", session + "\r\nOrigin: http://localhost:" + port))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void onlyThePagesMethodsAreAllowed() throws IOException {
    String session = session();
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "HEAD")) {
      assertThat(request(method, "/api/overview", session)).as(method).startsWith("HTTP/1.1 405");
      assertThat(request(method, "/", session)).as(method).startsWith("HTTP/1.1 405");
    }
    assertThat(get("/api/verify/start", session)).startsWith("HTTP/1.1 405");
  }

  @Test
  void thereAreNoOtherFiles() throws IOException {
    String session = session();
    for (String path :
        List.of(
            "/../heap",
            "/%2e%2e/%2e%2e/etc/passwd",
            "/..%2fversion.properties",
            "//etc/passwd",
            "/ConsoleServer.class",
            "/index.html",
            "/api/",
            "/api/../app.js",
            "/api/nothing",
            "/app.js/",
            "/app.js%00")) {
      assertThat(get(path, session)).as(path).startsWith("HTTP/1.1 404");
    }
  }

  @Test
  void badParametersAreRefused() throws IOException {
    String session = session();
    for (String query :
        List.of(
            "entries",
            "entries?of=root:map",
            "entries?of=root:map&offset=-1&limit=10",
            "entries?of=root:map&offset=0&limit=0",
            "entries?of=root:map&offset=0&limit=1000000",
            "entries?of=root:map&offset=x&limit=10",
            "entries?of=root:map&offset=99999999999999999999&limit=10",
            "entries?of=root:none&offset=0&limit=10",
            "entries?of=root:map&of=root:map&offset=0&limit=10",
            "entries?of=root:map&offset=0&limit=10&from=a",
            "entries?of=root:sorted&offset=0&limit=10&from=a",
            "entries?of=99&offset=0&limit=10",
            "find?of=root:sorted&key=no-number",
            "find?of=root:sorted",
            "object?id=1",
            "object?id=-1",
            "text?id=4096",
            "text?id",
            "text?id=1&")) {
      assertThat(get("/api/" + query, session))
          .as(query)
          .matches(Pattern.compile("HTTP/1.1 400.*\"error\":\"[^\"]+\".*", Pattern.DOTALL));
    }
    assertThat(get("/api/find?of=root:map&key=key", session))
        .startsWith("HTTP/1.1 200")
        .contains("[\"number\",\"7\",\"\"]");
    assertThat(get("/api/entries?of=root:sorted&offset=5&limit=1", session))
        .startsWith("HTTP/1.1 200")
        .contains("\"entries\":[]");
  }

  @Test
  void everyAnswerForbidsOtherContent() throws IOException {
    for (String answer :
        List.of(
            get("/", ""), get("/app.js", ""), get("/none", ""), get("/api/overview", session()))) {
      assertThat(answer)
          .containsIgnoringCase("content-security-policy: default-src 'none'; script-src 'self';")
          .containsIgnoringCase("x-content-type-options: nosniff")
          .containsIgnoringCase("referrer-policy: no-referrer")
          .containsIgnoringCase("cache-control: no-store")
          .doesNotContainIgnoringCase("access-control-allow");
    }
  }

  @Test
  void nothingIsServedToOtherMachines() throws IOException {
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : network.inetAddresses().toList()) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, port).close())
              .isInstanceOf(ConnectException.class);
        }
      }
    }
  }

  @Test
  void theHeapIsNotWritten() throws IOException {
    List<String> before = files();
    String session = session();
    for (String what : List.of("overview", "chunks", "entries?of=root:map&offset=0&limit=10")) {
      assertThat(get("/api/" + what, session)).startsWith("HTTP/1.1 200");
    }
    assertThat(post("/api/verify/start", session)).startsWith("HTTP/1.1 200");
    server.close();

    assertThat(files()).isEqualTo(before);
  }

  @Test
  void aMissingHeapIsSaidAtOnce() {
    assertThatThrownBy(() -> ConsoleServer.start(temporary.resolve("none"), new KeyOptions(), 0))
        .isInstanceOf(MissingException.class);
  }

  @Test
  void anEncryptedHeapIsShownWithItsKey() throws IOException {
    Path key = Files.writeString(temporary.resolve("key"), "0f".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Path safe = temporary.resolve("safe");
    Heap.builder(safe).encrypt(KeyProvider.file(key)).open().close();
    assertThatThrownBy(() -> ConsoleServer.start(safe, new KeyOptions(), 0))
        .isInstanceOf(EncryptionException.class)
        .hasMessageContaining("--key");
    KeyOptions keys = CommandLine.populateCommand(new KeyOptions(), "--key", "file:" + key);
    try (ConsoleServer mine = ConsoleServer.start(safe, keys, 0)) {
      server.close();
      server = mine;
      port = URI.create(mine.address()).getPort();
      token = URI.create(mine.address()).getFragment();
      assertThat(get("/api/overview", session())).contains("\"state\":\"open\"");
    }
  }

  @Test
  void aHeapInUseIsShownWhenItIsClosed() throws IOException {
    Path other = temporary.resolve("other");
    Heap heap = Heap.open(other);
    try (ConsoleServer mine = ConsoleServer.start(other, new KeyOptions(), 0)) {
      server.close();
      server = mine;
      port = URI.create(mine.address()).getPort();
      token = URI.create(mine.address()).getFragment();
      String session = session();
      assertThat(get("/api/overview", session)).contains("\"in use\"");
      assertThat(get("/api/chunks", session)).startsWith("HTTP/1.1 400");
      assertThat(post("/api/verify/start", session)).startsWith("HTTP/1.1 400");
      heap.close();
      assertThat(get("/api/overview", session)).contains("\"state\":\"open\"");
    } finally {
      heap.close();
    }
  }

  /** As a browser follows the link in the file that the command opens. */
  @Test
  void theFirstPageIsReachedFromAnyOtherAndNothingElseIs() throws IOException {
    String link =
        "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document";
    assertThat(get("/", link)).startsWith("HTTP/1.1 200");
    assertThat(get("/app.js", link)).startsWith("HTTP/1.1 403");
    assertThat(get("/api/overview", session() + "\r\n" + link)).startsWith("HTTP/1.1 403");
    assertThat(get("/", link.replace("document", "iframe"))).startsWith("HTTP/1.1 403");
    assertThat(get("/", link.replace("navigate", "no-cors"))).startsWith("HTTP/1.1 403");
    assertThat(get("/", link + "\r\nOrigin: http://evil.example")).startsWith("HTTP/1.1 403");
  }

  @Test
  @Campaign
  void requestsThatDoNotEndAreEnded() throws Exception {
    List<Socket> halves = new ArrayList<>();
    try {
      for (int i = 0; i < 150; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        halves.add(socket);
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: ".getBytes(ISO_8859_1));
      }
      for (Socket half : halves) {
        half.setSoTimeout(Math.toIntExact(Limit.limit().toMillis()));
        assertThat(readEnd(half)).isTrue();
      }
    } finally {
      for (Socket half : halves) {
        half.close();
      }
    }
    assertThat(get("/api/overview", session())).startsWith("HTTP/1.1 200");
  }

  private static boolean readEnd(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (SocketException e) {
      return true; // it was reset
    }
  }

  @Test
  @Campaign
  void aPageOfHugeValuesEndsEarly() throws IOException {
    Path other = temporary.resolve("huge");
    try (Heap heap = Heap.open(other)) {
      DurableMap<Integer, byte[]> map = heap.map("map", Integer.class, byte[].class);
      for (int i = 0; i < 6; i++) {
        map.put(i, new byte[20 << 20]);
      }
      heap.map("numbers", Integer.class, BigInteger.class)
          .put(1, BigInteger.ONE.shiftLeft(1 << 26));
    }
    server.close();
    server = ConsoleServer.start(other, new KeyOptions(), 0);
    port = URI.create(server.address()).getPort();
    token = URI.create(server.address()).getFragment();
    String page = get("/api/entries?of=root:map&offset=0&limit=30", session());
    assertThat(page).startsWith("HTTP/1.1 200").contains("\"more\":true");
    assertThat(page.split("\"key\"", -1)).hasSizeBetween(3, 6);
    assertThat(page).hasSizeLessThan(1 << 16);
    assertThat(get("/api/entries?of=root:map&offset=4&limit=30", session()))
        .contains("\"more\":false");
    assertThat(get("/api/entries?of=root:numbers&offset=0&limit=30", session()))
        .contains("a number of 67108865 bits");
  }

  /** The console is open, but nobody asks for anything. */
  @Test
  void aProgramCanOpenTheHeapWhileTheConsoleIsIdle() {
    server.close();
    try (Subject subject = Subject.of(directory, new KeyOptions(), 1)) {
      Heap[] writing = new Heap[1];
      Limit.until(
          "the heap can be opened",
          () -> {
            try {
              writing[0] = Heap.open(directory);
              return true;
            } catch (LockedException e) {
              return false;
            }
          });
      try {
        subject.begin();
        assertThat(subject.isInUse()).isTrue();
        subject.end();
      } finally {
        writing[0].close();
      }
      subject.begin();
      subject.refresh();
      assertThat(subject.heap().names()).contains("map");
      subject.end();
    }
  }

  private String session() {
    return "Authorization: Bearer " + token;
  }

  private String get(String path, String header) throws IOException {
    return request("GET", path, header);
  }

  private String post(String path, String header) throws IOException {
    return request("POST", path, header);
  }

  private String request(String method, String path, String header) throws IOException {
    return send(
        String.format(
            Locale.ROOT,
            "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Length: 0\r\n%s",
            method,
            path,
            port,
            header.isEmpty() ? "" : header + "\r\n"));
  }

  private String send(String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write((head + "Connection: close\r\n\r\n").getBytes(ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }
  }

  /** Every file with its size and time of change. */
  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      List<String> found = new ArrayList<>();
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        found.add(file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file));
      }
      return found;
    }
  }
}
