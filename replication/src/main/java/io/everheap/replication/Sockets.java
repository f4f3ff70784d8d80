package io.everheap.replication;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Makes the sockets: with TLS, in which both ends show a certificate that the other one trusts; or
 * plain ones, on the loopback interface only unless the user takes the risk.
 *
 * @param tls the certificates, or null
 * @param insecure whether plain sockets may leave the machine
 */
record Sockets(@Nullable SSLContext tls, boolean insecure) implements Connector {
  private static final int CONNECT_MILLIS = 3_000;
  private static final int HANDSHAKE_MILLIS = 5_000;

  ServerSocket listen(InetSocketAddress address) throws IOException {
    requireAllowed(address);
    SSLContext context = tls;
    if (context == null) {
      ServerSocket server = new ServerSocket();
      bind(server, address);
      return server;
    }
    SSLServerSocket server =
        (SSLServerSocket) context.getServerSocketFactory().createServerSocket();
    server.setNeedClientAuth(true);
    bind(server, address);
    return server;
  }

  private static void bind(ServerSocket server, InetSocketAddress address) throws IOException {
    try {
      server.setReuseAddress(true);
      server.bind(address);
    } catch (IOException e) {
      server.close();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
  }

  @Override
  public Socket connect(InetSocketAddress to) throws IOException {
    InetSocketAddress address =
        to.isUnresolved() ? new InetSocketAddress(to.getHostString(), to.getPort()) : to;
    requireAllowed(address);
    SSLContext context = tls;
    Socket plain = new Socket();
    try {
      plain.connect(address, CONNECT_MILLIS);
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
      greet(socket);
      return socket;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /**
   * Completes the handshake of a connection that was accepted, or that is made.
   *
   * @throws IOException if the other end shows no certificate that is trusted and valid now
   */
  static void greet(Socket socket) throws IOException {
    if (socket instanceof SSLSocket secure) {
      secure.setSoTimeout(HANDSHAKE_MILLIS);
      secure.startHandshake();
      for (Certificate certificate : secure.getSession().getPeerCertificates()) {
        if (certificate instanceof X509Certificate x509) {
          requireValid(x509); // the JDK accepts an expired one that is trusted by itself
        }
      }
    }
  }

  private static void requireValid(X509Certificate certificate) throws IOException {
    try {
      certificate.checkValidity();
    } catch (CertificateException e) {
      throw new IOException(
          "the certificate of " + certificate.getSubjectX500Principal() + " is not valid now", e);
    }
  }

  private void requireAllowed(InetSocketAddress address) {
    boolean local = address.getAddress() != null && address.getAddress().isLoopbackAddress();
    if (tls == null && !insecure && !local) {
      throw new IllegalArgumentException(
          "replication over "
              + address
              + " without TLS would let anyone on the network read the heap: set tls, or insecure"
              + " if the network itself is safe");
    }
  }
}
