package io.everheap.benchmarks.peers;

import io.everheap.benchmarks.journal.AppendLoop;
import io.everheap.benchmarks.journal.Text;
import java.nio.file.Path;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;

/** Chronicle Queue: a mapped file per day, written back by the operating system as it likes. */
public final class ChronicleLoop implements AppendLoop {
  private final ChronicleQueue queue;
  private final ExcerptAppender appender;

  /** Opens a queue in a directory. */
  public ChronicleLoop(Path directory, long records) {
    queue =
        ChronicleQueue.singleBuilder(directory.resolve("chronicle").toString())
            .rollCycle(RollCycles.FAST_DAILY)
            .build();
    appender = queue.createAppender();
  }

  @Override
  public void prepare() {}

  @Override
  public void append(long records) {
    for (long i = 0; i < records; i++) {
      appender.writeBytes(Bytes.wrapForRead(Text.record(i)));
    }
  }

  @Override
  public void close() {
    appender.close();
    queue.close();
  }
}
