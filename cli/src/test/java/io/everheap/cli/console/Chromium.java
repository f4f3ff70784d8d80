package io.everheap.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.support.Limit;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/** A headless Chromium, driven by its own protocol, with one page. */
final class Chromium implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final WebSocket socket;
  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final List<String> errors = new CopyOnWriteArrayList<>();
  private int last;

  /** Starts the browser; the test is aborted, or fails where one is required, if there is none. */
  static Chromium start(Path profile) throws Exception {
    String program = find();
    if (program == null) {
      String why = "there is no Chromium: apt install chromium";
      if (System.getenv("EVERHEAP_BROWSER") != null) {
        throw new AssertionError(why);
      }
      Assumptions.abort("NOT TESTED: " + why);
    }
    return new Chromium(program, profile);
  }

  private Chromium(String program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program,
                "--headless=new",
                "--no-sandbox", // it shows only the console, and CI runs as root
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .start();
    String port = port();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/json/new?about:blank"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    JsonNode page = MAPPER.readTree(client.send(request, BodyHandlers.ofString()).body());
    socket =
        Limit.get(
            client
                .newWebSocketBuilder()
                .buildAsync(
                    URI.create(page.get("webSocketDebuggerUrl").textValue()), new Messages()));
    for (String domain : List.of("Runtime", "Page", "Log")) {
      call(domain + ".enable", Map.of());
    }
    size(1280, 900);
    dark(false);
  }

  private String port() throws IOException {
    var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    Pattern listening = Pattern.compile("DevTools listening on ws://127.0.0.1:(\\d+)/");
    List<String> lines = new ArrayList<>();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      var found = listening.matcher(line);
      if (found.find()) {
        // Its messages must be read, or it stops; nobody needs them.
        Thread.ofVirtual().start(() -> out.lines().forEach(more -> {}));
        return found.group(1);
      }
      lines.add(line);
    }
    throw new IOException("Chromium did not start: " + lines);
  }

  private static @Nullable String find() {
    for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
      for (String name : NAMES) {
        Path program = Path.of(directory, name);
        if (Files.isExecutable(program)) {
          return program.toString();
        }
      }
    }
    return null;
  }

  /** Goes to an address. */
  void open(String address) throws Exception {
    call("Page.navigate", Map.of("url", "about:blank"));
    errors.clear();
    call("Page.navigate", Map.of("url", address));
  }

  /** The value of an expression, which may be a promise, in the page. */
  JsonNode value(String expression) throws Exception {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.at("/result/value");
  }

  String text(String selector) throws Exception {
    return value(String.format(Locale.ROOT, "document.querySelector('%s').innerText", selector))
        .textValue();
  }

  /** Returns when an expression is true. */
  void await(String expression) throws Exception {
    for (int attempt = 0; ; attempt++) {
      try {
        value(
            String.format(
                Locale.ROOT,
                """
            new Promise((done) => {
              const look = () => ((() => { try { return %s; } catch { return false; } })()
                ? done() : setTimeout(look, 20));
              look();
            })""",
                expression));
        return;
      } catch (TimeoutException e) {
        throw new AssertionError(expression + " never became true in: " + text("main"), e);
      } catch (AssertionError | IllegalStateException e) { // the page was replaced meanwhile
        if (attempt == 5) {
          throw e;
        }
      }
    }
  }

  void awaitText(String text) throws Exception {
    await(
        "document.querySelector('main').innerText.includes("
            + MAPPER.writeValueAsString(text)
            + ")");
  }

  /** Clicks on the button with a text. */
  void click(String button) throws Exception {
    String quoted = MAPPER.writeValueAsString(button);
    String found =
        "[...document.querySelectorAll('button')].find((b) => b.innerText.trim() === "
            + quoted
            + " && !b.disabled)";
    await(found);
    value(found + ".click()");
  }

  void key(String key) throws Exception {
    Map<String, Integer> codes = Map.of("Tab", 9, "Enter", 13, "ArrowRight", 39, "ArrowDown", 40);
    String text = key.equals("Enter") ? "\r" : "";
    Map<String, Object> down =
        Map.of(
            "type", "keyDown", "key", key, "windowsVirtualKeyCode", codes.get(key), "text", text);
    call("Input.dispatchKeyEvent", down);
    call(
        "Input.dispatchKeyEvent",
        Map.of("type", "keyUp", "key", key, "windowsVirtualKeyCode", codes.get(key)));
  }

  void type(String text) throws Exception {
    call("Input.insertText", Map.of("text", text));
  }

  void dark(boolean dark) throws Exception {
    var feature = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
    call("Emulation.setEmulatedMedia", Map.of("features", List.of(feature)));
  }

  void size(int width, int height) throws Exception {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** Keeps a picture of the page among the results of the build. */
  void screenshot(String name) throws Exception {
    Path directory = Files.createDirectories(Path.of("target/screenshots"));
    String data = call("Page.captureScreenshot", Map.of("format", "png")).get("data").textValue();
    Files.write(directory.resolve(name + ".png"), Base64.getDecoder().decode(data));
  }

  /** What the page reported: exceptions, refused content. */
  List<String> errors() {
    return errors;
  }

  private JsonNode call(String method, Map<String, ?> parameters) throws Exception {
    var answer = new CompletableFuture<JsonNode>();
    int id = ++last;
    answers.put(id, answer);
    String message =
        MAPPER.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
    Limit.get(socket.sendText(message, true));
    JsonNode result = answer.get(Limit.seconds(), TimeUnit.SECONDS);
    if (result.has("error")) {
      throw new IllegalStateException(method + ": " + result.get("error"));
    }
    return result.get("result");
  }

  @Override
  public void close() {
    socket.abort();
    List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
    all.add(process.toHandle());
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle each : all) { // they write into the profile, which is deleted then
      each.onExit().completeOnTimeout(each, 10, TimeUnit.SECONDS).join(); // if nobody reaps it
    }
    client.close();
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean end) {
      text.append(part);
      if (end) {
        receive(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    private void receive(String message) {
      try {
        JsonNode node = MAPPER.readTree(message);
        if (node.has("id")) {
          var answer = answers.remove(node.get("id").intValue());
          if (answer != null) {
            answer.complete(node);
          }
        } else if (node.at("/method").asText().equals("Runtime.exceptionThrown")
            || node.at("/params/entry/level").asText().equals("error")) {
          errors.add(message);
        }
      } catch (IOException e) {
        errors.add(e.toString());
      }
    }
  }
}
