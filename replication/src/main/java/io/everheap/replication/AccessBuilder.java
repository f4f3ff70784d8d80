package io.everheap.replication;

import io.everheap.stability.Evolving;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * How the two ends of a connection know each other: by a secret that both have, by certificates, or
 * not at all. One of the three must be chosen, also on one machine. Not thread-safe.
 *
 * @param <B> the builder
 * @since 0.9
 */
@Evolving
public abstract class AccessBuilder<B extends AccessBuilder<B>> {
  private @Nullable SSLContext tls;
  private @Nullable Predicate<X509Certificate> allowed;
  private @Nullable Path secret;
  private boolean insecure;

  AccessBuilder() {}

  abstract B self();

  /**
   * Connections are encrypted and authenticated with a secret that both ends have in a file: 64
   * hexadecimal digits, accessible for its owner only. A {@link Primary} makes the file if it is
   * missing. Whoever has the secret can read, fence and acknowledge.
   */
  public B secret(Path file) {
    secret = Objects.requireNonNull(file, "file");
    return self();
  }

  /**
   * Connections are encrypted and authenticated with TLS. Both ends show a certificate: the context
   * needs a key and says whom to trust.
   */
  public B tls(SSLContext context) {
    tls = Objects.requireNonNull(context, "context");
    return self();
  }

  /**
   * Accepts only some of the trusted certificates. Without this, every certificate that the context
   * trusts can read, fence and acknowledge.
   *
   * @param predicate given the certificate of the other end
   */
  public B allow(Predicate<X509Certificate> predicate) {
    allowed = Objects.requireNonNull(predicate, "predicate");
    return self();
  }

  /**
   * Connections are neither encrypted nor authenticated: whoever reaches the port, also another
   * user of this machine, can read everything, fence the primary and acknowledge what it does not
   * have.
   */
  public B insecure() {
    insecure = true;
    return self();
  }

  /**
   * Makes the sockets.
   *
   * @param make whether to make the file of the secret if it is missing
   * @throws IllegalStateException unless exactly one way was chosen
   */
  final Sockets sockets(boolean make) {
    int chosen = (tls == null ? 0 : 1) + (secret == null ? 0 : 1) + (insecure ? 1 : 0);
    if (chosen != 1) {
      throw new IllegalStateException(
          (chosen == 0 ? "it is not said how" : "it is said in several ways how")
              + " primary and replica know each other: call one of secret(file), tls(context) and"
              + " insecure()");
    }
    if (allowed != null && tls == null) {
      throw new IllegalStateException("allow is for certificates: call tls(context), too");
    }
    Path file = secret;
    return new Sockets(tls, allowed, file == null ? null : Secret.of(file, make));
  }
}
