package io.everheap;

import io.everheap.encryption.KeyProvider;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.ChecksumLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.EntryLayout;
import io.everheap.engine.log.PartLayout;
import io.everheap.log.LogSeed;
import io.everheap.log.RecordSeal;
import io.everheap.log.SegmentLayout;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Makes the checksums and tags of a heap right that was changed, as one can who knows the format
 * and has the key: then only what the bytes mean can tell.
 */
final class HeapForger {
  private static final int PAGE = 4096;
  private static final int CHAIN = 88;
  private static final int CRC = 92;

  private HeapForger() {}

  private static ByteBuffer read(Path file) throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void write(Path file, ByteBuffer contents) throws IOException {
    byte[] bytes = new byte[contents.limit()];
    contents.get(0, bytes);
    Files.write(file, bytes);
  }

  private static int crc(ByteBuffer bytes, int at, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(at, length));
    return (int) crc.getValue();
  }

  private static Superblock superblock(ByteBuffer home) {
    return Objects.requireNonNull(
        Superblock.newest(
            Superblock.decode(home.slice(0, Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN)),
            Superblock.decode(home.slice(PAGE, Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN))));
  }

  /** Gives each page of the home image that is not zero its checksum. */
  static void checksums(Path heap) throws IOException {
    ByteBuffer home = read(heap.resolve("heap"));
    ByteBuffer table = read(heap.resolve(ChecksumLayout.NAME));
    long key = ChecksumLayout.key(superblock(home).uuid());
    int pages = Math.min(home.limit() / PAGE, table.limit() / ChecksumLayout.ENTRY_BYTES);
    byte[] zeros = new byte[PAGE];
    for (int page = (int) ChecksumLayout.FIRST_PAGE; page < pages; page++) {
      boolean zero = home.slice(page * PAGE, PAGE).equals(ByteBuffer.wrap(zeros));
      long entry = ChecksumLayout.entry(key, page, crc(home, page * PAGE, PAGE));
      table.putLong(page * ChecksumLayout.ENTRY_BYTES, zero ? 0 : entry);
    }
    write(heap.resolve(ChecksumLayout.NAME), table);
  }

  /** A segment of the log. */
  private record Segment(Path file, ByteBuffer bytes) {
    long first() {
      return bytes.getLong(SegmentLayout.FIRST);
    }
  }

  /** Changes words of the log, and the checksums of all parts from there on; says what was done. */
  static String log(long seed, Path heap) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Segment> segments = new ArrayList<>();
    try (Stream<Path> files = Files.list(heap.resolve("log"))) {
      for (Path file : files.toList()) {
        Segment segment = new Segment(file, read(file));
        if (segment.bytes.limit() > PAGE && segment.bytes.getInt(CRC) != 0) {
          segments.add(segment);
        }
      }
    }
    segments.sort(Comparator.comparingLong(Segment::first));
    List<String> done = new ArrayList<>();
    int before = 0; // crc of the last part as it was, and as it is
    int now = 0;
    for (Segment segment : segments) {
      ByteBuffer b = segment.bytes;
      if (b.getInt(CHAIN) == before && before != now) {
        b.putInt(CHAIN, now).putInt(CRC, crc(b, 0, CRC));
      }
      UUID id = new UUID(b.getLong(16), b.getLong(24));
      RecordSeal seal = new RecordSeal(LogSeed.key(id, b.getLong(SegmentLayout.EPOCH)));
      long lsn = segment.first();
      int at = SegmentLayout.START;
      while (at + PartLayout.HEADER_SIZE <= b.limit()) {
        int field = b.getInt(at + PartLayout.LENGTH);
        if (!PartLayout.plausible(field)
            || PartLayout.length(field) > b.limit() - at
            || !seal.matches(b, at, at + PartLayout.covered(field), lsn)) {
          break;
        }
        int old = b.getInt(at);
        if (b.getInt(at + PartLayout.PREVIOUS_CRC) == before && before != now) {
          b.putInt(at + PartLayout.PREVIOUS_CRC, now);
        }
        if ((field & PartLayout.PAD) == 0 && random.nextInt(12) == 0) {
          done.add(change(random, b, at, PartLayout.length(field)));
        }
        seal.seal(b, at, at + PartLayout.covered(field), lsn);
        before = old;
        now = b.getInt(at);
        lsn += PartLayout.length(field);
        at += PartLayout.length(field);
      }
      write(segment.file, b);
    }
    Files.deleteIfExists(heap.resolve("ring")); // it has parts of the log as they were
    return "seed " + seed + ", log: " + done;
  }

  /** Changes a word of a part: preferably one that says what follows. */
  private static String change(SplittableRandom random, ByteBuffer b, int part, int length) {
    List<Integer> heads = new ArrayList<>();
    for (int at = part + PartLayout.HEADER_SIZE; at + 8 <= part + length; ) {
      long word = b.getLong(at);
      if (EntryLayout.type(word) == EntryLayout.END) {
        break;
      }
      heads.add(at);
      at += 8 + 8 * EntryLayout.count(word);
    }
    int words = (length - PartLayout.HEADER_SIZE) / 8;
    int at =
        heads.isEmpty() || random.nextInt(3) == 0
            ? part + PartLayout.HEADER_SIZE + 8 * random.nextInt(words)
            : heads.get(random.nextInt(heads.size()));
    long old = b.getLong(at);
    long word =
        switch (random.nextInt(9)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> random.nextLong();
          case 3 -> old ^ (1L << random.nextInt(64));
          case 4 -> old + random.nextInt(-8, 9);
          case 5 -> EntryLayout.run(random.nextLong(1L << 46) & -8, 1 + random.nextInt(65_000));
          case 6 -> EntryLayout.fill(random.nextLong(1L << 22) & -8);
          case 7 -> EntryLayout.fillShape(random.nextInt(3) * 8L, 0xFFFF_FFFFL);
          default -> old ^ (random.nextLong() >>> random.nextInt(64));
        };
    b.putLong(at, word);
    if (EntryLayout.type(word) == EntryLayout.FILL && at + 16 <= part + length) {
      b.putLong(
          at + 8, EntryLayout.fillShape(8L * random.nextInt(-1, 3), random.nextLong() >>> 32));
    }
    return "word at " + at + " is 0x" + Long.toHexString(word);
  }

  /** Encrypts a heap as it is: every tag is right, and the root is that of its checksums. */
  static void seal(Path heap, Path target, KeyProvider key) throws IOException {
    Superblock s = superblock(read(heap.resolve("heap")));
    try (Medium medium = SealedMedium.open(FileMedium.open(target, false, true), key)) {
      copy(heap, medium, "heap");
      try (Stream<Path> files = Files.list(heap.resolve("log"))) {
        for (Path file : files.toList()) {
          copy(heap, medium, "log/" + file.getFileName());
        }
      }
      try (MediumFile home = medium.open("heap");
          var pages = new CheckedPages(medium, home, s.uuid(), s.extentShift(), 1)) {
        pages.build(s.checkpointLsn(), s.capacity());
        if (s.writing()) {
          long[] all = LongStream.range(2, s.capacity() / PAGE).toArray();
          pages.announce(all, 0, all.length, s.minReplayEnd(), MediumFile::sync);
        }
      }
    }
  }

  private static void copy(Path heap, Medium medium, String name) throws IOException {
    try (MediumFile file = medium.create(name)) {
      file.write(ByteBuffer.wrap(Files.readAllBytes(heap.resolve(name))), 0);
    }
  }
}
