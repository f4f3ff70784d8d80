package io.everheap.samples.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The application in a process of its own, which is killed and started again. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("process")
class BasketTest {
  private static final Pattern PORT = Pattern.compile("started on port (\\d+)");

  @TempDir Path directory;

  private final CookieManager cookies = new CookieManager();
  private final HttpClient visitor = HttpClient.newBuilder().cookieHandler(cookies).build();

  @Test
  void theBasketIsThereAfterKills() throws Exception {
    List<String> bought = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      try (Server server = Server.start(directory)) {
        assertThat(get(server)).isEqualTo(json(bought));
        for (int i = 0; i < 5; i++) {
          bought.add("item-" + life + "-" + i);
          assertThat(post(server, bought.getLast())).isEqualTo(json(bought));
        }
      }
    }
    assertThat(cookies.getCookieStore().getCookies()).hasSize(1); // one session through all lives
  }

  @Test
  void anotherVisitorHasABasketOfItsOwn() throws Exception {
    try (Server server = Server.start(directory)) {
      assertThat(post(server, "apples")).isEqualTo("[\"apples\"]");
      var stranger = HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
      assertThat(stranger.send(server.request().build(), BodyHandlers.ofString()).body())
          .isEqualTo("[]");
    }
  }

  private String get(Server server) throws Exception {
    return visitor.send(server.request().build(), BodyHandlers.ofString()).body();
  }

  private String post(Server server, String item) throws Exception {
    HttpRequest request =
        server
            .request()
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString("item=" + item))
            .build();
    return visitor.send(request, BodyHandlers.ofString()).body();
  }

  private static String json(List<String> items) {
    return items.isEmpty() ? "[]" : "[\"" + String.join("\",\"", items) + "\"]";
  }

  /** The application. Closing it kills the process. */
  private record Server(Process process, BufferedReader output, int port) implements AutoCloseable {
    static Server start(Path directory) throws IOException {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of(System.getProperty("infinispan.flags").split(" ")));
      command.addAll(
          List.of(
              "-Dbasket.directory=" + directory,
              "-cp",
              System.getProperty("java.class.path"),
              BasketApplication.class.getName(),
              "--server.port=0",
              "--server.address=127.0.0.1"));
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      BufferedReader output = process.inputReader();
      StringBuilder said = new StringBuilder();
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        said.append(line).append('\n');
        Matcher port = PORT.matcher(line);
        if (port.find()) {
          Thread.ofPlatform().daemon().start(() -> output.lines().forEach(more -> {}));
          return new Server(process, output, Integer.parseInt(port.group(1)));
        }
      }
      throw new IOException("the application did not start:\n" + said);
    }

    HttpRequest.Builder request() {
      return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/basket"));
    }

    @Override
    public void close() throws IOException {
      process.destroyForcibly();
      process.onExit().join();
      output.close();
    }
  }
}
