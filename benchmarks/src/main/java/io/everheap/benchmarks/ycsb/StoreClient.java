package io.everheap.benchmarks.ycsb;

import io.everheap.benchmarks.store.RecordStore;
import io.everheap.benchmarks.store.Store;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * YCSB's view of a store, one object for each client thread, which measures how long calls take. An
 * update replaces the field in a store that keeps fields apart; else it reads the record, replaces
 * the field, and writes the record, which is not atomic, as in YCSB's own bindings for key-value
 * stores.
 */
final class StoreClient extends DB {
  private static final int DIGITS = 3;

  private final Store store;
  private final @Nullable RecordStore records; // the same, if it keeps fields apart
  private final RecordCodec codec;
  private final Shared shared;
  private final Histogram reads = new Histogram(DIGITS);
  private final Histogram writes = new Histogram(DIGITS);
  private final Histogram scans = new Histogram(DIGITS);

  /** The state that the threads of a run share. */
  static final class Shared {
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong missing = new AtomicLong();
    private final AtomicLong inserted = new AtomicLong();

    /** The first exception that a store threw. */
    @Nullable Throwable failure() {
      return failure.get();
    }

    /** How many records were not found. */
    long missing() {
      return missing.get();
    }

    /** How many records were inserted. */
    long inserted() {
      return inserted.get();
    }
  }

  StoreClient(Store store, RecordCodec codec, Shared shared) {
    this.store = store;
    this.records = store instanceof RecordStore apart ? apart : null;
    this.codec = codec;
    this.shared = shared;
  }

  /** Nanoseconds of reads. To be read after the thread ended. */
  Histogram reads() {
    return reads;
  }

  /** Nanoseconds of inserts and updates. */
  Histogram writes() {
    return writes;
  }

  /** Nanoseconds of scans. */
  Histogram scans() {
    return scans;
  }

  private interface Call {
    Status run();
  }

  /** YCSB's client ends the process when a database throws; this one records the failure. */
  private Status measure(Histogram histogram, Call call) {
    long start = System.nanoTime();
    try {
      Status status = call.run();
      histogram.recordValue(System.nanoTime() - start);
      if (status.equals(Status.NOT_FOUND)) {
        shared.missing.incrementAndGet();
      }
      return status;
    } catch (RuntimeException | Error e) {
      shared.failure.compareAndSet(null, e);
      return Status.ERROR;
    }
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return measure(
        reads,
        () -> {
          if (records != null) {
            byte @Nullable [][] found = records.fields(key);
            if (found == null) {
              return Status.NOT_FOUND;
            }
            codec.name(found, fields, result);
            return Status.OK;
          }
          byte[] record = store.get(key);
          if (record == null) {
            return Status.NOT_FOUND;
          }
          codec.decode(record, fields, result);
          return Status.OK;
        });
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's choice
  public Status scan(
      String table,
      String first,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return measure(
        scans,
        () -> {
          store.scan(
              first,
              count,
              record -> {
                HashMap<String, ByteIterator> values = new HashMap<>();
                codec.decode(record, fields, values);
                result.add(values);
              });
          return result.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return measure(
        writes,
        () -> {
          if (records != null) {
            return update(records, key, values);
          }
          byte[] record = store.get(key);
          if (record == null) {
            return Status.NOT_FOUND;
          }
          store.put(key, codec.replace(record, values));
          return Status.OK;
        });
  }

  private static Status update(RecordStore records, String key, Map<String, ByteIterator> values) {
    for (Map.Entry<String, ByteIterator> field : values.entrySet()) {
      int number = RecordCodec.number(field.getKey());
      if (!records.replace(key, number, field.getValue().toArray())) {
        return Status.NOT_FOUND;
      }
    }
    return Status.OK;
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    Status status =
        measure(
            writes,
            () -> {
              if (records != null) {
                records.put(key, codec.fields(values));
              } else {
                store.put(key, codec.encode(values));
              }
              return Status.OK;
            });
    if (status.isOk()) {
      shared.inserted.incrementAndGet();
    }
    return status;
  }

  @Override
  public Status delete(String table, String key) {
    return Status.NOT_IMPLEMENTED;
  }
}
