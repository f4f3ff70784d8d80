package io.everheap.it.crash;

import io.everheap.Heap;
import io.everheap.collection.DurableAtomicLong;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import io.everheap.error.LeaseLostException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The process that is killed: adds jobs to a work queue without end, and does them with many
 * workers, some of which forget what they leased, fail, or are slower than their lease. It tells of
 * each job that was added and of each that was acknowledged.
 */
public final class QueueWorker {
  /** Bytes of what it tells: a kind, and the number of a job. */
  static final int FRAME = 9;

  /** The heap is open and was checked. */
  static final byte READY = 0;

  /** A job was added. */
  static final byte ADDED = 1;

  /** A job was acknowledged. */
  static final byte DONE = 2;

  private static final int WORKERS = 8;
  private static final int BACKLOG = 50;

  private final Heap heap;
  private final DurableWorkQueue<Long> jobs;
  private final DurableMap<Long, Integer> results;
  private final DurableAtomicLong added;
  private final OutputStream out = new FileOutputStream(FileDescriptor.out);

  QueueWorker(Path directory) {
    this.heap = Heap.open(directory);
    this.jobs = heap.workQueue("jobs", Long.class);
    this.results = heap.map("results", Long.class, Integer.class);
    this.added = heap.root("added", DurableAtomicLong.of());
  }

  /** Works until it is killed. */
  public static void main(String[] arguments) {
    System.setOut(System.err); // nothing but frames may go to descriptor 1
    try {
      QueueWorker worker = new QueueWorker(Path.of(arguments[0]));
      worker.check();
      worker.tell(READY, 0);
      for (int i = 0; i < WORKERS; i++) {
        int number = i;
        Thread.ofPlatform().start(() -> worker.run(() -> worker.work(number)));
      }
      worker.run(worker::produce);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private interface Body {
    void run() throws Exception;
  }

  private void run(Body body) {
    try {
      while (true) {
        body.run();
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  /** Each job that was added is in the queue or has one result. */
  void check() {
    if (!heap.verify().problems().isEmpty()) {
      throw new AssertionError(heap.verify().problems().toString());
    }
    if (jobs.leased() != 0) {
      throw new AssertionError(jobs.leased() + " jobs are still leased");
    }
    for (long job : jobs) {
      if (results.containsKey(job)) {
        throw new AssertionError("the job " + job + " was acknowledged and came back");
      }
    }
    if (jobs.size() + results.size() != added.get()) {
      throw new AssertionError(jobs.size() + " + " + results.size() + " of " + added.get());
    }
    if (results.values().stream().anyMatch(times -> times != 1)) {
      throw new AssertionError("a result was stored twice");
    }
  }

  /** How many jobs were added, and whether one has a result. */
  long added() {
    return added.get();
  }

  boolean isDone(long job) {
    return results.containsKey(job);
  }

  void close() {
    heap.close();
  }

  private void produce() throws Exception {
    if (jobs.size() > BACKLOG) {
      Thread.onSpinWait();
      return;
    }
    long job =
        heap.transact(
            () -> {
              long next = added.getAndIncrement();
              jobs.add(next);
              return next;
            });
    tell(ADDED, job);
  }

  private void work(int worker) throws Exception {
    for (int i = worker; ; i++) {
      Duration time = i % 5 == 0 ? Duration.ofMillis(1) : Duration.ofHours(1);
      Lease<Long> lease = jobs.lease(time);
      if (i % 10 == 5) {
        continue; // forgets it; it was a short lease
      }
      if (i % 7 == 0) {
        lease.close();
        continue;
      }
      try {
        heap.transact(
            () -> {
              results.merge(lease.element(), 1, Integer::sum);
              lease.acknowledge();
            });
        tell(DONE, lease.element());
      } catch (LeaseLostException e) {
        // another worker was faster
      }
    }
  }

  private void tell(byte kind, long number) throws Exception {
    byte[] frame = ByteBuffer.allocate(FRAME).put(kind).putLong(number).array();
    synchronized (out) {
      out.write(frame);
    }
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
