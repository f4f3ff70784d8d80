package io.everheap.it.crash;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.StoppedException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A process whose Java heap is full again and again while it writes: it tells of each put that
 * returned, goes on after an OutOfMemoryError, and ends when the heap is poisoned or it was killed.
 */
public final class ExhaustedHeapWorker {
  /** Bytes of what it tells: a key. */
  static final int BYTES = Long.BYTES;

  /** Exit code if the heap said that it is poisoned. */
  static final int POISONED = 3;

  private static final int THREADS = 2;
  private static final int PUTS = 4000;

  /** Puts between two fillings, so that the writers get on however slow the machine is. */
  private static final int PUTS_BETWEEN = 10;

  private static final AtomicInteger PUTS_DONE = new AtomicInteger();
  private static volatile boolean poisoned;

  private ExhaustedHeapWorker() {}

  /**
   * Writes.
   *
   * @param arguments the directory; the first key of each of its threads
   */
  public static void main(String[] arguments) throws Exception {
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    Heap heap = Heap.open(Path.of(arguments[0]));
    DurableMap<Long, byte[]> map = heap.map("values", Long.class, byte[].class);
    Thread filler = Thread.ofPlatform().daemon().start(ExhaustedHeapWorker::fill);
    List<Thread> writers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      long first = Long.parseLong(arguments[1]) + (long) i * PUTS;
      Frame frame = new Frame();
      writers.add(Thread.ofPlatform().start(() -> write(map, first, out, frame)));
    }
    for (Thread writer : writers) {
      writer.join();
    }
    filler.interrupt();
    Runtime.getRuntime().halt(poisoned ? POISONED : 0);
  }

  /** What telling of a put takes, made while there is memory. */
  private static final class Frame {
    final byte[] bytes = new byte[BYTES];
    final ByteBuffer buffer = ByteBuffer.wrap(bytes);
  }

  private static void write(
      DurableMap<Long, byte[]> map, long first, FileOutputStream out, Frame frame) {
    for (long key = first; key < first + PUTS && !poisoned; key++) {
      try {
        map.put(key, new byte[(int) (key % 300)]);
        frame.buffer.putLong(0, key);
        synchronized (out) {
          out.write(frame.bytes);
        }
        PUTS_DONE.incrementAndGet();
      } catch (OutOfMemoryError e) {
        // as intended; the next put may find memory
      } catch (StoppedException e) {
        poisoned = true;
      } catch (IOException e) {
        return; // killed
      }
    }
  }

  /** Takes all memory, a little at the end, and gives it back until some puts are done. */
  @SuppressWarnings("ModifiedButNotUsed") // it only takes memory
  private static void fill() {
    while (!Thread.currentThread().isInterrupted()) {
      int puts = PUTS_DONE.get();
      while (PUTS_DONE.get() - puts < PUTS_BETWEEN && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(100_000);
      }
      List<byte[]> taken = new ArrayList<>();
      int size = 1 << 20;
      while (size >= 16) {
        try {
          taken.add(new byte[size]);
        } catch (OutOfMemoryError e) {
          size /= 4;
        }
      }
    }
  }
}
