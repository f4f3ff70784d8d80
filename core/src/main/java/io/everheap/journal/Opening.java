package io.everheap.journal;

import io.everheap.error.DiskFullException;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.Closing;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.Mapping;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Opens a journal for writing. What a new process can read need not be durable, so what recovery
 * accepts is written again before anything else is; then a new epoch begins.
 */
final class Opening {
  private static final int CHUNK = 1 << 20;

  private final Medium medium;
  private final JournalOptions options;
  private final StateFile state;
  private final JournalRecovery.Found recovered;
  private final List<Segment> live;
  private final List<String> unused;
  private final List<String> empty = new ArrayList<>();

  Opening(Medium medium, JournalOptions options, StateFile state) {
    this.medium = medium;
    this.options = options;
    this.state = state;
    this.recovered = JournalRecovery.read(medium, state.state());
    this.live = new ArrayList<>(recovered.live());
    this.unused = new ArrayList<>(recovered.unused());
  }

  JournalRecovery.Found recovered() {
    return recovered;
  }

  /** Makes the recovered records durable, takes an epoch, and prepares segments for it. */
  SegmentFiles begin(Segments segments) {
    medium.syncDirectory(""); // a killed process may have left names that are not durable
    if (!state.state().clean()) {
      for (int i = live.size() - recovered.scanned(); i < live.size(); i++) {
        persist(medium, live.get(i));
      }
    }
    while (!live.isEmpty() && live.getLast().firstSequence() == recovered.nextSequence()) {
      // It has no records, but it must stay until the new epoch has begun: its header cuts off
      // others.
      empty.add(live.removeLast().name());
    }
    long ordinal = recovered.highestOrdinal() + 1;
    state.write(
        state
            .state()
            .taken(
                recovered.highestEpoch() + 1,
                ordinal,
                recovered.nextSequence(),
                options.segmentSize()));
    if (!live.isEmpty()) {
      trim(live.getLast());
      live.getLast().end(recovered.nextSequence(), live.getLast().endOffset());
    }
    segments.replace(live);
    return new SegmentFiles(
        medium,
        options.mode(medium),
        options.segmentSize(),
        options.ahead(),
        options.background(),
        unused,
        ordinal);
  }

  /** Begins the epoch. */
  JournalWriter writer(SegmentFiles files, Segments segments, Runnable afterRoll) {
    JournalWriter writer = null;
    try {
      writer =
          new JournalWriter(
              medium,
              options,
              state.state(),
              segments,
              files,
              live.isEmpty() ? 0 : live.getLast().ordinal(),
              recovered.nextSequence(),
              recovered.chain(),
              recovered.time(),
              afterRoll);
      state.write(state.state().begun(recovered.nextSequence()));
      empty.forEach(files::reuse);
      writer.start();
      return writer;
    } catch (Throwable t) {
      Closing.after(t, writer != null ? writer::close : files::close);
      throw t;
    }
  }

  /** Writes the header and the records of a segment again. */
  static void persist(Medium medium, Segment segment) {
    long end = segment.endOffset() + RecordLayout.HEADER; // including the mark of its end
    end = Math.min(segment.header().size(), RecordLayout.align(end, SegmentLayout.BLOCK));
    if (medium.byteAddressable()) {
      try (MediumFile file = medium.open(segment.name());
          Region region = file.map(Mapping.SHARED, 0, segment.header().size())) {
        region.copyFrom(0, region, 0, end);
        region.force(0, end);
      }
      return;
    }
    try (Arena arena = Arena.ofConfined();
        MediumFile file = medium.openLog(segment.name(), DurableWrite.DSYNC)) {
      ByteBuffer buffer = arena.allocate(Math.min(CHUNK, end), SegmentLayout.BLOCK).asByteBuffer();
      for (long at = 0; at < end; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
        file.read(buffer, at);
        buffer.rewind();
        file.writeDurably(buffer, at);
      }
    }
  }

  /** Replaces a segment with a large unused end by a copy without it. */
  private void trim(Segment segment) {
    long size = segment.header().size();
    long used = RecordLayout.align(segment.endOffset(), SegmentLayout.BLOCK);
    if (size - used <= size / 8) {
      return;
    }
    try {
      copy(segment, used);
    } catch (DiskFullException e) {
      if (medium.exists(JournalLayout.TRIMMED)) {
        medium.delete(JournalLayout.TRIMMED);
      }
      return;
    }
    medium.rename(JournalLayout.TRIMMED, segment.name());
    medium.syncDirectory("");
    Segment trimmed = new Segment(medium, segment.header().withSize(used));
    trimmed.end(segment.endSequence(), segment.endOffset());
    live.set(live.size() - 1, trimmed);
  }

  private void copy(Segment segment, long used) {
    if (medium.exists(JournalLayout.TRIMMED)) {
      medium.delete(JournalLayout.TRIMMED);
    }
    try (Arena arena = Arena.ofConfined();
        MediumFile from = medium.open(segment.name());
        MediumFile to = medium.create(JournalLayout.TRIMMED)) {
      ByteBuffer buffer =
          arena
              .allocate(Math.min(CHUNK, used), SegmentLayout.BLOCK)
              .asByteBuffer()
              .order(ByteOrder.LITTLE_ENDIAN);
      for (long at = 0; at < used; at += buffer.limit()) {
        buffer.clear().limit((int) Math.min(buffer.capacity(), used - at));
        from.read(buffer, at);
        buffer.rewind();
        if (at == 0) {
          buffer.put(
              0,
              segment.header().withSize(used).encode(JournalLayout.MAGIC),
              0,
              SegmentLayout.HEADER_SIZE);
        }
        to.write(buffer, at);
      }
      to.sync();
    }
  }
}
