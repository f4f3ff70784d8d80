package io.everheap.replication;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Makes connections: with TLS, in which both ends show a certificate that the other one accepts;
 * with a secret that both know; or open ones, if the user takes the risk.
 *
 * @param tls the certificates, or null
 * @param allowed which of the trusted certificates are accepted; null for all
 * @param secret or null
 */
record Sockets(
    @Nullable SSLContext tls, @Nullable Predicate<X509Certificate> allowed, @Nullable Secret secret)
    implements Connector {
  private static final int CONNECT_MILLIS = 3_000;
  private static final int GREET_MILLIS = 5_000;

  static ServerSocket listen(InetSocketAddress address) throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(true);
      server.bind(address);
      return server;
    } catch (IOException e) {
      server.close();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  private boolean isAuthenticated() {
    return tls != null || secret != null;
  }

  @Override
  public Connection connect(InetSocketAddress to) throws IOException {
    InetSocketAddress address =
        to.isUnresolved() ? new InetSocketAddress(to.getHostString(), to.getPort()) : to;
    Socket plain = new Socket();
    try {
      plain.connect(address, CONNECT_MILLIS);
      try (Deadline deadline = Deadline.of(plain, GREET_MILLIS)) {
        return greet(plain, address, deadline);
      }
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private Connection greet(Socket plain, InetSocketAddress address, Deadline deadline)
      throws IOException {
    try {
      Connection made = new Connection(client(plain, address), GREET_MILLIS, isAuthenticated());
      made.limit(Greeting.MAX_BYTES);
      Greeting.call(made, secret);
      made.limit(Connection.MOST);
      return made;
    } catch (IOException e) {
      if (deadline.passed()) {
        var late = new SocketTimeoutException(address + " did not greet in time");
        late.initCause(e);
        throw late;
      }
      throw e;
    }
  }

  private Socket client(Socket plain, InetSocketAddress address) throws IOException {
    SSLContext context = tls;
    if (context == null) {
      return plain;
    }
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(plain, address.getHostString(), address.getPort(), true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name in the certificate
    socket.setSSLParameters(parameters);
    shake(socket);
    requireAllowed(socket);
    return socket;
  }

  /**
   * Greets whoever has connected to a primary. The caller limits the time.
   *
   * @throws IOException if it is refused
   */
  Connection welcome(Socket plain, int silenceMillis) throws IOException {
    plain.setSoTimeout(silenceMillis);
    Socket socket = server(plain);
    Connection made = new Connection(socket, silenceMillis, isAuthenticated());
    made.limit(Greeting.MAX_BYTES); // all that a replica ever sends is short
    try {
      requireAllowed(socket);
    } catch (IOException e) {
      made.receive(); // else the refusal could be lost with what was not read
      made.send(Message.REFUSED, new Refusal(Refusal.Reason.LATER, Printable.reason(e)).encode());
      throw e;
    }
    Greeting.answer(made, secret);
    return made;
  }

  private Socket server(Socket plain) throws IOException {
    SSLContext context = tls;
    if (context == null) {
      return plain;
    }
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, null, true);
    socket.setNeedClientAuth(true);
    shake(socket);
    return socket;
  }

  /** Completes the handshake; throws unless the certificate of the other end is valid. */
  private static void shake(SSLSocket socket) throws IOException {
    socket.startHandshake();
    for (Certificate certificate : socket.getSession().getPeerCertificates()) {
      requireValid(certificate); // the JDK accepts an expired one that is trusted by itself
    }
  }

  private void requireAllowed(Socket socket) throws IOException {
    Predicate<X509Certificate> accepts = allowed;
    if (accepts != null && socket instanceof SSLSocket secure) {
      Certificate shown = secure.getSession().getPeerCertificates()[0];
      if (!(shown instanceof X509Certificate own && accepts.test(own))) {
        throw new IOException("the certificate of " + subject(shown) + " is not allowed here");
      }
    }
  }

  private static void requireValid(Certificate certificate) throws IOException {
    try {
      if (certificate instanceof X509Certificate x509) {
        x509.checkValidity();
      }
    } catch (CertificateException e) {
      throw new IOException("the certificate of " + subject(certificate) + " is not valid now", e);
    }
  }

  private static String subject(Certificate certificate) {
    return certificate instanceof X509Certificate x509
        ? Printable.of(x509.getSubjectX500Principal().toString())
        : certificate.getType();
  }
}
