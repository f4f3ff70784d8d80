package io.everheap.cli.console;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides who is served. Another site in the user's browser can send requests to this machine: it
 * is told by the names of host and origin, which it cannot choose. Another user of the machine does
 * not know the token. It comes in a header that only the console's own page adds: a cookie would be
 * sent to every port of this host, and so to servers of other users.
 */
final class Guard {
  private final int port;
  private final String token = random();

  Guard(int port) {
    this.port = port;
  }

  /** To be given in the address. */
  String token() {
    return token;
  }

  /** Whether a request names this server, so that no name of another leads here (DNS rebinding). */
  boolean isForThisServer(HttpExchange exchange) {
    String host = only(exchange.getRequestHeaders(), "Host");
    return host != null && names().contains(host);
  }

  /**
   * Whether a person follows a link, or is led here by the page that the command opens: what the
   * browser gets fills its window, so no other page sees it, and it has nothing of the heap.
   */
  boolean isNavigation(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    return !headers.containsKey("Origin")
        && "navigate".equals(only(headers, "Sec-Fetch-Mode"))
        && "document".equals(only(headers, "Sec-Fetch-Dest"));
  }

  /** Whether the page that sends the request, if any is named, is the console's own. */
  boolean isFromThisServer(HttpExchange exchange) {
    Headers headers = exchange.getRequestHeaders();
    if (!headers.containsKey("Origin")) {
      String site = headers.getFirst("Sec-Fetch-Site");
      return site == null || site.equals("same-origin") || site.equals("none");
    }
    String origin = only(headers, "Origin");
    return origin != null && names().stream().anyMatch(name -> origin.equals("http://" + name));
  }

  /** Whether a request has the token. */
  boolean hasToken(HttpExchange exchange) {
    String given = only(exchange.getRequestHeaders(), "Authorization");
    return given != null && same(given, "Bearer " + token);
  }

  private List<String> names() {
    return List.of("127.0.0.1:" + port, "localhost:" + port);
  }

  private static @Nullable String only(Headers headers, String name) {
    List<String> all = headers.get(name);
    return all == null || all.size() != 1 ? null : all.getFirst();
  }

  /** Takes the same time wherever the two differ. */
  private static boolean same(String given, String expected) {
    return MessageDigest.isEqual(
        given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
  }

  private static String random() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }
}
