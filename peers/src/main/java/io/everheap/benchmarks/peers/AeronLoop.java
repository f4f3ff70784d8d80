package io.everheap.benchmarks.peers;

import io.aeron.ExclusivePublication;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.everheap.benchmarks.journal.AppendLoop;
import io.everheap.benchmarks.journal.Text;
import java.nio.file.Path;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * Aeron Archive, whose logs are Agrona's buffers: the records go through shared memory to a thread
 * that writes them to files, without a sync. A round ends when all are in the files.
 */
public final class AeronLoop implements AppendLoop {
  private static final String CHANNEL = "aeron:ipc?term-length=64m";
  private static final String CONTROL = "aeron:ipc?term-length=64k";
  private static final int STREAM = 10;

  private final ArchivingMediaDriver driver;
  private final AeronArchive archive;
  private final ExclusivePublication publication;
  private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
  private final CountersReader counters;
  private final IdleStrategy idle = new YieldingIdleStrategy();
  private final int recorded;

  /** Starts the driver and the archive in this process, and a recording. */
  public AeronLoop(Path directory, long records) {
    String shared = directory.resolve("driver").toString();
    driver =
        ArchivingMediaDriver.launch(
            new MediaDriver.Context()
                .aeronDirectoryName(shared)
                .dirDeleteOnStart(true)
                .threadingMode(ThreadingMode.SHARED),
            new Archive.Context()
                .aeronDirectoryName(shared)
                .archiveDir(directory.resolve("archive").toFile())
                .threadingMode(ArchiveThreadingMode.SHARED)
                .controlChannelEnabled(false)
                .archiveClientContext(new AeronArchive.Context().controlResponseChannel(CONTROL))
                .replicationChannel("aeron:udp?endpoint=localhost:0")
                .fileSyncLevel(0));
    archive =
        AeronArchive.connect(
            new AeronArchive.Context()
                .aeronDirectoryName(shared)
                .controlRequestChannel(CONTROL)
                .controlResponseChannel(CONTROL));
    publication = archive.addRecordedExclusivePublication(CHANNEL, STREAM);
    counters = archive.context().aeron().countersReader();
    int found = CountersReader.NULL_COUNTER_ID;
    while (found == CountersReader.NULL_COUNTER_ID || !publication.isConnected()) {
      idle.idle();
      found =
          RecordingPos.findCounterIdBySession(
              counters, publication.sessionId(), archive.archiveId());
    }
    recorded = found;
  }

  @Override
  public void prepare() {}

  @Override
  public void append(long records) {
    for (long i = 0; i < records; i++) {
      byte[] record = Text.record(i);
      buffer.wrap(record);
      while (publication.offer(buffer, 0, record.length) < 0) {
        idle.idle();
      }
    }
    while (counters.getCounterValue(recorded) < publication.position()) {
      idle.idle();
    }
  }

  @Override
  public void close() {
    archive.close();
    driver.close();
  }
}
