package io.everheap.benchmarks.replication;

import io.everheap.journal.Journal;
import io.everheap.replication.Primary;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A journal to which records of {@link #BYTES} are appended, with replicas or without. */
public final class JournalPrimarySubject extends ServingSubject {
  /** Bytes of a record: about what an update of a heap's record makes in its log. */
  static final int BYTES = 200;

  private static final Duration INTERVAL = Duration.ofMillis(10);
  private static final long RETAINED = 1L << 30;

  private final AtomicLong bytes = new AtomicLong();
  private Map<String, String> parameters = Map.of();
  private @Nullable Journal journal;

  /** Makes a subject that is not open. */
  public JournalPrimarySubject() {}

  @Override
  public void open(Map<String, String> given) {
    parameters = given;
    var builder =
        Journal.builder(Path.of(parameters.getOrDefault("directory", ""))).retainBytes(RETAINED);
    boolean sync = Boolean.parseBoolean(parameters.get("sync"));
    journal = (sync ? builder.sync() : builder.async(INTERVAL)).open();
  }

  @Override
  Primary listen(InetSocketAddress address) {
    return Access.of(parameters, Primary.of(require(journal))).listen(address);
  }

  @Override
  LongSupplier work(long seed) {
    Journal appended = require(journal);
    byte[] record = new byte[BYTES];
    new SplittableRandom(seed).nextBytes(record);
    return () -> {
      appended.append(record);
      bytes.addAndGet(BYTES);
      return 1;
    };
  }

  @Override
  void sync() {
    require(journal).force();
  }

  @Override
  long appended() {
    return bytes.get();
  }

  @Override
  public void close() {
    super.close();
    if (journal != null) {
      journal.close();
    }
  }
}
