package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import site.ycsb.ClientThread;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** A run of YCSB's client threads over a store. */
final class ClientRun {
  private static final double NANOS_PER_MICRO = 1e3;

  static {
    Measurements.setProperties(new Properties()); // YCSB's own, which every workload asks for
  }

  private final StoreClient.Shared shared = new StoreClient.Shared();
  private final List<StoreClient> clients = new ArrayList<>();
  private final List<ClientThread> work = new ArrayList<>();
  private final CoreWorkload workload = new CoreWorkload();
  private final CountDownLatch ended;
  private final int threads;
  private double seconds;

  private ClientRun(
      Store store,
      RecordCodec codec,
      Properties properties,
      int threads,
      boolean load,
      long operations) {
    this.threads = threads;
    this.ended = new CountDownLatch(threads);
    try {
      workload.init(properties);
    } catch (WorkloadException e) {
      throw new IllegalArgumentException(e);
    }
    for (int i = 0; i < threads; i++) {
      StoreClient client = new StoreClient(store, codec, shared);
      client.setProperties(properties);
      long share = operations / threads + (i < operations % threads ? 1 : 0);
      ClientThread thread =
          new ClientThread(client, !load, workload, properties, (int) share, 0, ended);
      thread.setThreadId(i);
      thread.setThreadCount(threads);
      clients.add(client);
      work.add(thread);
    }
  }

  /** Loads so many records. */
  static ClientRun load(Store store, RecordShape shape, int threads) throws InterruptedException {
    int enough = (int) Math.min(threads, shape.records());
    Properties properties = WorkloadMix.loading(shape, shape.records());
    ClientRun run =
        new ClientRun(
            store, new RecordCodec(shape.fields()), properties, enough, true, shape.records());
    run.run(Long.MAX_VALUE);
    if (run.shared.inserted() != shape.records()) {
      throw new IllegalStateException("only " + run.shared.inserted() + " records were loaded");
    }
    return run;
  }

  /** Runs a workload for some time, without a limit to its throughput. */
  static ClientRun transactions(
      Store store, RecordShape shape, Properties properties, int threads, long millis)
      throws InterruptedException {
    ClientRun run =
        new ClientRun(store, new RecordCodec(shape.fields()), properties, threads, false, 0);
    run.run(millis);
    if (run.shared.missing() > 0) {
      throw new IllegalStateException(run.shared.missing() + " records were not found");
    }
    return run;
  }

  private void run(long millis) throws InterruptedException {
    long start = System.nanoTime();
    for (int i = 0; i < threads; i++) {
      Thread.ofPlatform().name("client-" + i).daemon().start(work.get(i));
    }
    boolean over = ended.await(millis, TimeUnit.MILLISECONDS);
    while (!over && operations() == 0 && shared.failure() == null) { // no thread had its turn yet
      over = ended.await(1, TimeUnit.MILLISECONDS);
    }
    if (!over) {
      workload.requestStop();
      ended.await();
    }
    seconds = (System.nanoTime() - start) / 1e9;
    Throwable failure = shared.failure();
    if (failure != null) {
      throw new IllegalStateException("the store failed: " + failure, failure);
    }
  }

  /** How many records it inserted. */
  long inserted() {
    return shared.inserted();
  }

  /** Operations of all threads, or transactions in YCSB's word, in a second. */
  double throughput() {
    return operations() / seconds;
  }

  private long operations() {
    return work.stream().mapToLong(ClientThread::getOpsDone).sum();
  }

  /** Seconds from the start until the last thread ended. */
  double seconds() {
    return seconds;
  }

  /** Percentiles in microseconds by metric, of those calls that there were. */
  Map<String, Double> percentiles() {
    Map<String, Double> found = new HashMap<>();
    percentiles(found, "read", StoreClient::reads);
    percentiles(found, "write", StoreClient::writes);
    percentiles(found, "scan", StoreClient::scans);
    return found;
  }

  private void percentiles(
      Map<String, Double> found, String call, Function<StoreClient, Histogram> of) {
    Histogram all = of.apply(clients.getFirst()).copy();
    clients.stream().skip(1).forEach(client -> all.add(of.apply(client)));
    if (all.getTotalCount() > 0) {
      found.put(call + "_p50_us", all.getValueAtPercentile(50) / NANOS_PER_MICRO);
      found.put(call + "_p99_us", all.getValueAtPercentile(99) / NANOS_PER_MICRO);
      found.put(call + "_p999_us", all.getValueAtPercentile(99.9) / NANOS_PER_MICRO);
    }
  }
}
