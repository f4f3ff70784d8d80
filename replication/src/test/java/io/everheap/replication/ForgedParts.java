package io.everheap.replication;

import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.PartLayout;
import io.everheap.log.LogSeed;
import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.zip.CRC32C;

/** Makes the checksums within messages right, as one can who knows the format. Stateless. */
final class ForgedParts {
  private static final int SIZE = 64;
  private static final int CRC = 92;

  /** A simulated file is in memory. */
  private static final long MAX_SIZE = 1 << 20;

  private ForgedParts() {}

  /** The log of a heap: parts are chained from the place that the start before them says. */
  static List<WireInput.Frame> ofHeap(List<WireInput.Frame> frames) {
    List<WireInput.Frame> forged = new ArrayList<>();
    RecordSeal seal = null;
    long lsn = 0;
    int chain = 0;
    for (WireInput.Frame frame : frames) {
      if (frame.type() == Message.START.code() && isStart(frame.body())) {
        Start start = Start.decode(ByteBuffer.wrap(frame.body()), "the fuzzer");
        UUID heap = start.heap();
        seal = new RecordSeal(LogSeed.key(heap, start.epoch()));
        lsn = start.position().lsn();
        chain = start.position().chain();
      } else if (frame.type() == Message.PARTS.code() && seal != null) {
        byte[] body = frame.body().clone();
        ByteBuffer b = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at + PartLayout.HEADER_SIZE <= body.length; ) {
          int field = b.getInt(at + PartLayout.LENGTH);
          int length = PartLayout.length(field);
          if (!PartLayout.plausible(field) || length > body.length - at) {
            break;
          }
          b.putInt(at + PartLayout.PREVIOUS_CRC, chain);
          b.putInt(at + PartLayout.POSITION, PartLayout.position(lsn));
          seal.seal(b, at, at + PartLayout.covered(field), lsn);
          chain = b.getInt(at);
          lsn += length;
          at += length;
        }
        forged.add(new WireInput.Frame(frame.type(), body));
        continue;
      }
      forged.add(frame);
    }
    return forged;
  }

  /** Changes a word of a part of the log: preferably one that says what follows. */
  static byte[] mutate(byte[] parts, Random random) {
    byte[] body = parts.clone();
    ByteBuffer b = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    List<Integer> heads = new ArrayList<>();
    for (int at = 0; at + PartLayout.HEADER_SIZE <= body.length; ) {
      int field = b.getInt(at + PartLayout.LENGTH);
      int length = PartLayout.length(field);
      if (!PartLayout.plausible(field) || length > body.length - at) {
        break;
      }
      int word = at + PartLayout.HEADER_SIZE;
      while (word + 8 <= at + length && EntryLayout.type(b.getLong(word)) != EntryLayout.END) {
        heads.add(word);
        word += 8 + 8 * EntryLayout.count(b.getLong(word));
      }
      at += length;
    }
    if (heads.isEmpty()) {
      return body;
    }
    int at = heads.get(random.nextInt(heads.size())) + (random.nextInt(3) == 0 ? 8 : 0);
    if (at + 8 > body.length) {
      return body;
    }
    long old = b.getLong(at);
    long word =
        switch (random.nextInt(9)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> random.nextLong();
          case 3 -> old ^ (1L << random.nextInt(64));
          case 4 -> old + random.nextInt(-8, 9);
          case 5 -> EntryLayout.run(random.nextLong(1L << 46) & -8, 1 + random.nextInt(65_000));
          case 6 -> EntryLayout.run(random.nextLong(1L << 24) & -8, EntryLayout.count(old));
          case 7 -> EntryLayout.fill(random.nextLong(1L << 22) & -8);
          default -> old ^ (random.nextLong() >>> random.nextInt(64));
        };
    b.putLong(at, word);
    if (EntryLayout.type(word) == EntryLayout.FILL && at + 16 <= body.length) {
      long times = random.nextLong() >>> (32 + random.nextInt(32));
      b.putLong(at + 8, EntryLayout.fillShape(8L * random.nextInt(-1, 3), times));
    }
    return body;
  }

  private static boolean isStart(byte[] body) {
    try {
      return Start.decode(ByteBuffer.wrap(body), "the fuzzer").epoch() >= 0;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Headers of the segments of a journal. */
  static List<WireInput.Frame> ofJournal(List<WireInput.Frame> frames) {
    return frames.stream().map(ForgedParts::header).toList();
  }

  private static WireInput.Frame header(WireInput.Frame frame) {
    byte[] body = frame.body().clone();
    if (frame.type() != Message.PARTS.code() || body.length != 1 + SegmentLayout.HEADER_SIZE) {
      return frame;
    }
    ByteBuffer b = ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    b.putLong(1 + SIZE, Math.min(b.getLong(1 + SIZE), MAX_SIZE));
    CRC32C crc = new CRC32C();
    crc.update(body, 1, CRC);
    b.putInt(1 + CRC, (int) crc.getValue());
    return new WireInput.Frame(frame.type(), body);
  }
}
