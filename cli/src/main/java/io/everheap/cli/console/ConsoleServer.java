package io.everheap.cli.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.everheap.cli.KeyOptions;
import io.everheap.cli.NoSuchRootException;
import io.everheap.cli.RefusedException;
import io.everheap.error.EncryptionException;
import io.everheap.error.EverheapException;
import io.everheap.error.MissingException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** Serves the console's page and what it asks for, to the browser of one user on this machine. */
final class ConsoleServer implements AutoCloseable {
  /** The only files there are, with their types. */
  private static final Map<String, String> FILES =
      Map.of(
          "/", "text/html",
          "/icon.svg", "image/svg+xml",
          "/style.css", "text/css",
          "/app.js", "text/javascript",
          "/ui.js", "text/javascript",
          "/overview.js", "text/javascript",
          "/space.js", "text/javascript",
          "/live.js", "text/javascript",
          "/browse.js", "text/javascript",
          "/verify.js", "text/javascript");

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
          + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  /** Answers that are made at the same time; each may hold a large value. */
  private static final int MAX_WORKING = 4;

  /** Settings of the JDK's server, which it reads when its first instance is made. */
  private static final Map<String, String> LIMITS =
      Map.of("sun.net.httpserver.maxReqTime", "10", "jdk.httpserver.maxConnections", "200");

  static {
    LIMITS.forEach( // a request that does not end must not be kept for ever
        (name, value) -> {
          if (System.getProperty(name) == null) {
            System.setProperty(name, value);
          }
        });
  }

  private final Semaphore working = new Semaphore(MAX_WORKING);
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Guard guard;
  private final Subject subject;
  private final Requests requests;

  private ConsoleServer(HttpServer server, Subject subject) {
    this.server = server;
    this.subject = subject;
    this.guard = new Guard(server.getAddress().getPort());
    this.requests = new Requests(subject);
  }

  /**
   * Starts a server on the loopback interface.
   *
   * @param keys of the heap, if it is encrypted
   * @param port or 0 for one that is free
   * @throws MissingException if there is no heap
   * @throws EncryptionException if the heap is encrypted, and its key is not given or another one
   */
  static ConsoleServer start(Path directory, KeyOptions keys, int port) throws IOException {
    Subject subject = Subject.of(directory, keys);
    HttpServer http;
    try {
      InetAddress here = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
      http = HttpServer.create(new InetSocketAddress(here, port), 0);
    } catch (IOException e) {
      subject.close();
      throw e;
    }
    var server = new ConsoleServer(http, subject);
    http.createContext("/", server::handle);
    http.setExecutor(server.threads);
    http.start();
    return server;
  }

  /** The address to open; browsers do not send what follows the {@code #}. */
  String address() {
    return String.format(
        Locale.ROOT, "http://127.0.0.1:%d/#%s", server.getAddress().getPort(), guard.token());
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    subject.close();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      Headers headers = exchange.getResponseHeaders();
      headers.set("Content-Security-Policy", POLICY);
      headers.set("X-Content-Type-Options", "nosniff");
      headers.set("Referrer-Policy", "no-referrer");
      headers.set("Cross-Origin-Resource-Policy", "same-origin");
      headers.set("Cross-Origin-Opener-Policy", "same-origin");
      headers.set("Cache-Control", "no-store");
      answer(exchange, exchange.getRequestURI().getPath());
    }
  }

  private void answer(HttpExchange exchange, @Nullable String path) throws IOException {
    String method = exchange.getRequestMethod();
    boolean start = "/".equals(path) && guard.isNavigation(exchange);
    if (!guard.isForThisServer(exchange) || !(start || guard.isFromThisServer(exchange))) {
      fail(exchange, 403, "another site asked for this");
    } else if (path != null && FILES.containsKey(path)) {
      if (allowed(exchange, "GET")) {
        sendFile(exchange, path);
      }
    } else if (path == null || !path.startsWith("/api/")) {
      fail(exchange, 404, "there is no such page");
    } else if (!guard.hasToken(exchange)) {
      fail(exchange, 401, "open the address that the command printed");
    } else if (allowed(exchange, path.equals("/api/verify/start") ? "POST" : "GET")) {
      if (method.equals("GET") && path.equals("/api/live")) {
        LiveEvents.send(exchange, subject);
      } else {
        sendData(exchange, path.substring("/api/".length()));
      }
    }
  }

  private static boolean allowed(HttpExchange exchange, String method) throws IOException {
    if (exchange.getRequestMethod().equals(method)) {
      return true;
    }
    exchange.getResponseHeaders().set("Allow", method);
    fail(exchange, 405, "use " + method);
    return false;
  }

  private void sendData(HttpExchange exchange, String what) throws IOException {
    String answer;
    working.acquireUninterruptibly();
    subject.begin();
    try {
      answer = requests.answer(what, Query.of(exchange.getRequestURI().getRawQuery()));
    } catch (RefusedException | NoSuchRootException e) {
      fail(exchange, 400, String.valueOf(e.getMessage()));
      return;
    } catch (EverheapException e) {
      fail(exchange, 409, String.valueOf(e.getMessage()));
      return;
    } catch (RuntimeException e) { // of a damaged heap, for example: the others are still shown
      fail(exchange, 500, e.toString());
      return;
    } finally {
      subject.end();
      working.release();
    }
    if (answer == null) {
      fail(exchange, 404, "there is no such page");
    } else {
      send(exchange, 200, "application/json", answer.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static void sendFile(HttpExchange exchange, String path) throws IOException {
    String name = path.equals("/") ? "index.html" : path.substring(1);
    try (InputStream in = ConsoleServer.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException("no file " + name);
      }
      String type = FILES.get(path) + "; charset=utf-8";
      send(exchange, 200, type, in.readAllBytes());
    }
  }

  private static void fail(HttpExchange exchange, int status, String why) throws IOException {
    String body = Page.json(json -> json.writeStringField("error", why));
    send(exchange, status, "application/json", body.getBytes(StandardCharsets.UTF_8));
  }

  private static void send(HttpExchange exchange, int status, String type, byte[] body)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }
}
