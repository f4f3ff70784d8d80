package io.everheap.cli.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.cli.KeyOptions;
import io.everheap.support.Limit;
import io.everheap.support.fuzz.Form;
import io.everheap.support.fuzz.Fuzz;
import io.everheap.support.tier.Campaign;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Any bytes at the console's port, with and without its token: they are answered or the connection
 * ends, nothing of the heap is seen without the token, nothing is written, and the page works
 * afterwards. In an input, PORT and TOKEN stand for those of the console.
 */
@Campaign
class FuzzedConsoleTest {
  private static final int SAMPLE = 100;
  private static final int MOST_ANSWERED = 8 << 20;
  private static final Pattern FAILURE =
      Pattern.compile("HTTP/1\\.1 500|\\tat [a-z]+\\.|Exception in thread");

  @TempDir private Path temporary;
  private Path directory;
  private ConsoleServer server;
  private String port;
  private String token;
  private int inputs;
  private final AtomicReference<@Nullable Throwable> uncaught = new AtomicReference<>();

  @BeforeEach
  void start() throws IOException {
    directory = temporary.resolve("heap");
    FuzzedHeap.make(directory);
    server = ConsoleServer.start(directory, new KeyOptions(), 0);
    URI address = URI.create(server.address());
    port = Integer.toString(address.getPort());
    token = address.getFragment();
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> uncaught.set(e));
  }

  @AfterEach
  void stop() {
    Thread.setDefaultUncaughtExceptionHandler(null);
    server.close();
  }

  @Test
  void anyRequestsAreAnsweredOrEnded() throws IOException {
    List<String> before = files();
    Fuzz.of("console", Form.BYTES, FuzzedQueryTest.MUTATION)
        .inputs(1_500)
        .memory(256 << 20)
        .run(this::check);
    requireThatThePageWorks();
    assertThat(files()).isEqualTo(before);
  }

  private void check(byte[] input) throws IOException {
    String request = new String(input, ISO_8859_1).replace("PORT", port).replace("TOKEN", token);
    String answer = new String(send(request.getBytes(ISO_8859_1)), ISO_8859_1);
    assertThat(uncaught.getAndSet(null)).isNull();
    assertThat(answer).doesNotContainPattern(FAILURE);
    assertThat(answer.isEmpty() || answer.startsWith("HTTP/1.1 ")).isTrue();
    if (!request.contains("Bearer " + token)) {
      assertThat(answer).doesNotContain(FuzzedHeap.MARK, directory.toString());
    }
    if (++inputs % SAMPLE == 0) {
      requireThatThePageWorks();
    }
  }

  private byte[] send(byte[] request) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
      socket.setSoTimeout(Math.toIntExact(Limit.limit().toMillis()));
      socket.getOutputStream().write(request);
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      byte[] part = new byte[8192];
      for (int n = in.read(part); n >= 0; n = in.read(part)) {
        answer.write(part, 0, n);
        assertThat(answer.size()).isLessThan(MOST_ANSWERED);
        if (answer.toString(ISO_8859_1).contains("application/x-ndjson")) {
          break; // it goes on for as long as somebody reads
        }
      }
    } catch (SocketException e) {
      // it was reset, with what was not read
    }
    return answer.toByteArray();
  }

  private void requireThatThePageWorks() throws IOException {
    String request =
        "GET /api/overview HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(port, token);
    assertThat(new String(send(request.getBytes(ISO_8859_1)), ISO_8859_1))
        .startsWith("HTTP/1.1 200")
        .contains(FuzzedHeap.MARK);
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
