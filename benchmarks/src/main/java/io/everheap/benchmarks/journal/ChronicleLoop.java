package io.everheap.benchmarks.journal;

import java.nio.file.Path;
import java.util.List;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;

/** Chronicle Queue: a mapped file per day, written back by the operating system as it likes. */
final class ChronicleLoop implements AppendLoop {
  /** What it needs of Java, and that it stays at home. */
  static final List<String> OPTIONS =
      List.of(
          "-Dchronicle.analytics.disable=true",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");

  private final ChronicleQueue queue;
  private final ExcerptAppender appender;

  ChronicleLoop(Path directory) {
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
