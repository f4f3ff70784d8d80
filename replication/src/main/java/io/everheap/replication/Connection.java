package io.everheap.replication;

import io.everheap.error.ReplicationException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A connection between a primary and a replica: messages of a length u32, a type u8, a body, and
 * the CRC32C u32 of type and body, all big-endian. Once it is {@linkplain #seal sealed}, type and
 * body are encrypted, and a tag of 16 bytes takes the place of the CRC. One thread sends and one
 * receives.
 */
final class Connection implements AutoCloseable {
  /** The longest body; the body of the longest batch of a log is half of it. */
  static final int MOST = 8 << 20;

  private final Socket socket;
  private final boolean authenticated;
  private int limit = MOST;
  private @Nullable Seal seal;
  private final DataInputStream in;
  private final DataOutputStream out;
  private volatile long writingSince; // nanoTime, 0 while nothing is written

  /**
   * Takes a connected socket.
   *
   * @param silenceMillis after which silence of the other end {@link #receive} fails
   * @param authenticated whether what arrives comes from a peer that is known
   */
  Connection(Socket socket, int silenceMillis, boolean authenticated) throws IOException {
    this.socket = socket;
    this.authenticated = authenticated;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(silenceMillis);
    this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    this.out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16));
  }

  /** Sets after how long a silence of the other end {@link #receive} fails. */
  void silence(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  /** Sets the longest body that is received. */
  void limit(int bytes) {
    limit = bytes;
  }

  /** Encrypts and authenticates all messages from now on. */
  void seal(Seal made) {
    seal = made;
  }

  /** Whether the other end has shown who it is, so that what it says may stop this end. */
  boolean isAuthenticated() {
    return authenticated;
  }

  /** The other end, for messages. */
  String peer() {
    return String.valueOf(socket.getRemoteSocketAddress());
  }

  /** Sends a message without waiting. */
  void send(Message type, byte[] body) throws IOException {
    write(type, body);
    flush();
  }

  /** Sends a message, which may wait in a buffer until the next {@link #send}. */
  void write(Message type, byte[] body) throws IOException {
    writingSince = System.nanoTime() | 1;
    out.writeInt(body.length);
    if (seal == null) {
      out.writeByte(type.code());
      out.write(body);
      out.writeInt(crc(type.code(), body));
    } else {
      out.write(seal.seal(type.code(), body));
    }
    writingSince = 0;
  }

  /** Sends what waits in the buffer. */
  void flush() throws IOException {
    writingSince = System.nanoTime() | 1;
    out.flush();
    writingSince = 0;
  }

  /** Whether the other end has taken nothing for a time, for any thread. */
  boolean isStuck(long nanos) {
    long since = writingSince;
    return since != 0 && System.nanoTime() - since > nanos;
  }

  private static int crc(int type, byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(type);
    crc.update(body);
    return (int) crc.getValue();
  }

  /** Whether a part of another message has arrived. */
  boolean hasMore() throws IOException {
    return in.available() > 0;
  }

  /** A message. */
  static final class Received {
    private final Message type;
    private final byte[] body;

    private Received(Message type, byte[] body) {
      this.type = type;
      this.body = body;
    }

    Message type() {
      return type;
    }

    /** The body itself. */
    byte[] body() {
      return body;
    }

    /** The body, big-endian. */
    ByteBuffer buffer() {
      return ByteBuffer.wrap(body);
    }
  }

  /**
   * Receives a message.
   *
   * @throws ReplicationException if it is of a type that this library does not know
   * @throws ProtocolException if it is no message, or was changed on its way: another connection
   *     may be better
   * @throws EOFException if the other end has closed the connection
   */
  Received receive() throws IOException {
    int length = in.readInt();
    if (length < 0 || length > limit) {
      throw new ProtocolException(
          peer()
              + " sent a message of "
              + length
              + " bytes: it does not speak this protocol, or the message was damaged on its way.");
    }
    int type;
    byte[] body;
    if (seal == null) {
      type = in.readUnsignedByte();
      body = read(length);
      if (in.readInt() != crc(type, body)) {
        throw new ProtocolException(peer() + " sent a message that was damaged on its way.");
      }
    } else {
      byte[] opened = seal.open(read(1 + length + Seal.TAG), peer());
      type = Byte.toUnsignedInt(opened[0]);
      body = Seal.body(opened);
    }
    Message message = Message.of(type);
    if (message == null) {
      throw new ReplicationException(
          peer() + " sent a message of an unknown type, " + type + ": is it a later version?");
    }
    return new Received(message, body);
  }

  /** Reads bytes, for which memory is taken only as they arrive. */
  private byte[] read(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException(peer() + " closed the connection");
    }
    return bytes;
  }

  /**
   * Receives a message of one type.
   *
   * @throws ReplicationException if the other end refused or sent something else
   */
  Received receive(Message expected) throws IOException {
    Received received = receive();
    if (received.type == Message.REFUSED) {
      throw Refusal.decode(received.buffer()).exception(peer());
    }
    if (received.type != expected) {
      throw new ReplicationException(
          peer() + " sent " + received.type + " instead of " + expected + ".");
    }
    return received;
  }

  /** Whether this end is closed, by any thread. */
  boolean isClosed() {
    return socket.isClosed();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // it is of no use any more
    }
  }
}
