package io.everheap.cli;

import io.everheap.replication.AccessBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** How to connect to a primary. */
final class PeerOptions {
  @Option(
      names = "--secret",
      paramLabel = "FILE",
      description =
          "The secret that the primary has, too: its process makes the file if it is missing; copy"
              + " it to other machines, with mode 0600.")
  private @Nullable Path secret;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A PKCS #12 file with the own key, and the certificates that are trusted; its password is"
              + " in the environment variable EVERHEAP_KEYS_PASSWORD.")
  private @Nullable Path keys;

  @Option(
      names = "--insecure",
      description =
          "Connect without encryption and authentication: whoever reaches the port, or the way to"
              + " it, can read everything.")
  private boolean insecure;

  private static SSLContext tls(CommandSpec spec, Path file) {
    String password = System.getenv("EVERHEAP_KEYS_PASSWORD");
    if (password == null) {
      throw new ParameterException(
          spec.commandLine(), "--keys needs the environment variable EVERHEAP_KEYS_PASSWORD");
    }
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password.toCharArray());
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(store, password.toCharArray());
      TrustManagerFactory trusted =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new ParameterException(
          spec.commandLine(), "the keys in " + file + " cannot be used: " + e.getMessage(), e);
    }
  }

  /** Says to a builder how both ends know each other. */
  <B extends AccessBuilder<B>> B apply(CommandSpec spec, B builder) {
    if ((keys == null ? 0 : 1) + (secret == null ? 0 : 1) + (insecure ? 1 : 0) != 1) {
      throw new ParameterException(
          spec.commandLine(), "give one of --secret FILE, --keys FILE and --insecure");
    }
    if (keys != null) {
      return builder.tls(tls(spec, keys));
    }
    return secret != null ? builder.secret(secret) : builder.insecure();
  }

  static InetSocketAddress[] addresses(CommandSpec spec, List<String> texts) {
    return texts.stream().map(text -> address(spec, text)).toArray(InetSocketAddress[]::new);
  }

  static InetSocketAddress address(CommandSpec spec, String text) {
    int colon = text.lastIndexOf(':');
    try {
      return new InetSocketAddress(
          text.substring(0, Math.max(0, colon)), Integer.parseInt(text.substring(colon + 1)));
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "not a HOST:PORT: " + text);
    }
  }
}
