package io.everheap.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.function.Consumer;
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
      names = "--keys",
      paramLabel = "FILE",
      description =
          "A PKCS #12 file with the own key, and the certificates that are trusted; its password is"
              + " in the environment variable EVERHEAP_KEYS_PASSWORD.")
  private @Nullable Path keys;

  @Option(
      names = "--insecure",
      description = "Connect to other machines without TLS: anyone on the way can read the heap.")
  private boolean insecure;

  boolean isInsecure() {
    return insecure;
  }

  /** The certificates, or null. */
  @Nullable SSLContext tls(CommandSpec spec) {
    Path file = keys;
    if (file == null) {
      return null;
    }
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

  void apply(CommandSpec spec, Consumer<SSLContext> tls, Runnable whenInsecure) {
    SSLContext context = tls(spec);
    if (context != null) {
      tls.accept(context);
    }
    if (insecure) {
      whenInsecure.run();
    }
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
