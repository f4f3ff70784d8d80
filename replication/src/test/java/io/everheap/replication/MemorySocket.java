package io.everheap.replication;

import static org.assertj.core.api.Assertions.fail;

import io.everheap.support.Limit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * One end of a connection in memory. No time passes on it: a read waits until bytes arrive, an end
 * is closed, or a test declares that the silence has lasted too long. A test can wait until the
 * reader has read and processed all bytes and asks for more.
 */
final class MemorySocket extends Socket {
  private final Pipe in;
  private final Pipe out;
  private final InetSocketAddress peer;
  private volatile int silenceMillis = -1;
  private volatile Runnable beforeWrite = () -> {};

  private MemorySocket(Pipe in, Pipe out, String peer) {
    this.in = in;
    this.out = out;
    this.peer = InetSocketAddress.createUnresolved(peer, 1);
  }

  /** The two ends: the one of the primary, and the one of the replica. */
  record Ends(MemorySocket primary, MemorySocket replica) {}

  /** Connects two ends. */
  static Ends connect(String primary, String replica) {
    Pipe up = new Pipe();
    Pipe down = new Pipe();
    return new Ends(new MemorySocket(up, down, replica), new MemorySocket(down, up, primary));
  }

  /** Waits until the other end has processed all that was sent to it, or is closed. */
  void untilProcessed() {
    out.untilIdle();
  }

  /** Runs an action in the thread that writes, before the other end can read what is written. */
  void beforeWrite(Runnable action) {
    beforeWrite = action;
  }

  /** Sends nothing more: the other end reads what was sent, then the end. */
  void finish() {
    out.finish();
  }

  /** Makes the read that waits at the other end, or the next one, fail: its limit has passed. */
  void passSilence() {
    out.passSilence();
  }

  /** Makes writes to the other end wait, as if it read nothing; false lets them continue. */
  void jam(boolean on) {
    in.jam(on);
  }

  /** Waits until a write of the other end waits. */
  void untilJammed() {
    in.untilJammed();
  }

  /** The limit that was set for a silence, in milliseconds; -1 if none was set. */
  int silence() {
    return silenceMillis;
  }

  @Override
  public InputStream getInputStream() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        return length == 0 ? 0 : in.read(bytes, offset, length);
      }

      @Override
      public int available() {
        return in.available();
      }
    };
  }

  @Override
  public OutputStream getOutputStream() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        beforeWrite.run();
        out.write(bytes, offset, length);
      }
    };
  }

  @Override
  public void setTcpNoDelay(boolean on) {}

  @Override
  public void setSoTimeout(int millis) {
    silenceMillis = millis;
  }

  @Override
  public SocketAddress getRemoteSocketAddress() {
    return peer;
  }

  @Override
  public boolean isClosed() {
    return in.isClosed();
  }

  @Override
  public void close() {
    in.close();
    out.close();
  }

  /** The bytes in one direction; guarded by its monitor. */
  private static final class Pipe {
    private byte[] bytes = new byte[256];
    private int start;
    private int end;
    private int readers; // that wait
    private int writers; // that wait
    private boolean jammed;
    private boolean silent;
    private boolean finished;
    private boolean closed;

    synchronized int read(byte[] to, int offset, int length) throws IOException {
      readers++;
      notifyAll();
      try {
        waitWhile(() -> start == end && !closed && !finished && !silent);
      } finally {
        readers--;
      }
      if (start < end) {
        int n = Math.min(length, end - start);
        System.arraycopy(bytes, start, to, offset, n);
        start += n;
        return n;
      }
      if (silent) {
        silent = false;
        throw new SocketTimeoutException("Read timed out");
      }
      return -1;
    }

    synchronized void write(byte[] from, int offset, int length) throws IOException {
      writers++;
      notifyAll();
      try {
        waitWhile(() -> jammed && !closed);
      } finally {
        writers--;
      }
      if (closed) {
        throw new SocketException("Socket is closed");
      }
      if (start == end) {
        start = 0;
        end = 0;
      }
      if (end + length > bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + length));
      }
      System.arraycopy(from, offset, bytes, end, length);
      end += length;
      notifyAll();
    }

    private synchronized void waitWhile(BooleanSupplier condition) throws IOException {
      try {
        while (condition.getAsBoolean()) {
          wait();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new SocketException("interrupted");
      }
    }

    synchronized int available() {
      return end - start;
    }

    synchronized void passSilence() {
      silent = true;
      notifyAll();
    }

    synchronized void finish() {
      finished = true;
      notifyAll();
    }

    synchronized void jam(boolean on) {
      jammed = on;
      notifyAll();
    }

    synchronized void untilJammed() {
      until(() -> writers > 0 || closed);
    }

    synchronized void untilIdle() {
      until(() -> (readers > 0 && start == end && !silent) || closed);
    }

    private synchronized void until(BooleanSupplier condition) {
      long limit = System.nanoTime() + Limit.limit().toNanos();
      try {
        while (!condition.getAsBoolean()) {
          if (System.nanoTime() - limit > 0) {
            fail("the other end does not read within " + Limit.limit());
          }
          wait(1_000);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        fail("interrupted");
      }
    }

    synchronized boolean isClosed() {
      return closed;
    }

    synchronized void close() {
      closed = true;
      notifyAll();
    }
  }
}
