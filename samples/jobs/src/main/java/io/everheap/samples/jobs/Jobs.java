package io.everheap.samples.jobs;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableWorkQueue;
import io.everheap.collection.Lease;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * Does jobs until none is left: {@code Jobs DIRECTORY COUNT}. The first process adds the jobs, in
 * one transaction; each process goes on with those that are not done. A result and the end of its
 * job are one transaction, so no job is lost and none is done twice.
 */
public final class Jobs {
  private static final int WORKERS = 3;
  private static final Duration LEASE = Duration.ofMinutes(1);

  private Jobs() {}

  /**
   * Runs the program.
   *
   * @param arguments directory of the heap, number of jobs
   */
  public static void main(String[] arguments) throws InterruptedException {
    long count = Long.parseLong(arguments[1]);
    try (Heap heap = Heap.open(Path.of(arguments[0]))) {
      DurableWorkQueue<Long> jobs = heap.workQueue("jobs", Long.class);
      DurableMap<Long, Long> results = heap.map("results", Long.class, Long.class);
      if (jobs.isEmpty() && results.isEmpty()) {
        jobs.addAll(LongStream.range(0, count).boxed().toList());
      }
      System.out.println("left " + jobs.size());
      Thread[] workers = new Thread[WORKERS];
      for (int i = 0; i < WORKERS; i++) {
        workers[i] = Thread.ofPlatform().start(() -> work(heap, jobs, results));
      }
      for (Thread worker : workers) {
        worker.join();
      }
      System.out.println("all done " + results.size());
    }
  }

  private static void work(Heap heap, DurableWorkQueue<Long> jobs, DurableMap<Long, Long> results) {
    // Does not wait for jobs that other workers have leased: they finish them.
    for (Lease<Long> next = jobs.tryLease(LEASE); next != null; next = jobs.tryLease(LEASE)) {
      Lease<Long> job = next;
      long result = job.element() * job.element(); // outside of a transaction: it may take long
      heap.transact(
          () -> {
            if (results.put(job.element(), result) != null) {
              throw new IllegalStateException("job " + job.element() + " was done twice");
            }
            job.acknowledge(); // throws, and undoes the put, if another worker has it now
          });
      System.out.println("done " + job.element());
    }
  }
}
