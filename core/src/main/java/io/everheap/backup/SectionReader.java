package io.everheap.backup;

import static io.everheap.backup.SectionLayout.COUNT;
import static io.everheap.backup.SectionLayout.HEAD;
import static io.everheap.backup.SectionLayout.LENGTH;
import static io.everheap.backup.SectionLayout.NUMBER;

import io.everheap.error.BackupException;
import io.everheap.error.ForeignException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.crypt.SealedMedium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.UUID;

/** Reads a backup's file, which may be damaged or foreign. Used by one thread. */
public final class SectionReader {
  /**
   * A section that matches its checksum.
   *
   * @param at its place in the file
   * @param kind of its data
   * @param number as the kind defines it
   * @param count as the kind defines it
   * @param data little-endian; valid until the next section is read
   */
  public record Section(long at, int kind, long number, long count, ByteBuffer data) {}

  /**
   * The start and the end of a backup.
   *
   * @param head what it says of itself
   * @param end the last section
   * @param size of the file
   */
  public record Summary(BackupHead head, Section end, long size) {}

  /** Receives the sections in their order. */
  @FunctionalInterface
  public interface Target {
    /** Takes the next one. */
    void accept(Section section);
  }

  private final Medium medium;
  private final String name;
  private final BackupFormat format;

  /** Prepares to read a file. */
  public SectionReader(Medium medium, String name, BackupFormat format) {
    this.medium = medium;
    this.name = name;
    this.format = format;
  }

  /** Reads the header and the end, without the sections between. */
  public Summary summary() {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer head = read(file, 0, SectionLayout.HEADER);
      if (head.getLong(0) != format.magic()) {
        SealedMedium.requirePlain(medium, file);
        throw damaged(0, "it is not a backup");
      }
      if (head.getInt(SectionLayout.HEADER_CRC) != SectionLayout.headerCrc(head)) {
        throw damaged(0, "its header is damaged");
      }
      if (head.getInt(8) != format.version()) {
        throw ForeignException.version(
            medium.location() + "/" + name, head.getInt(8), format.version());
      }
      long size = file.size();
      long last = size - HEAD - format.endLength();
      if (last < SectionLayout.HEADER) {
        throw damaged(size, "it is cut off");
      }
      ByteBuffer end = read(file, last, HEAD + format.endLength());
      if (end.getInt(0) != SectionLayout.END
          || !SectionLayout.matches(end, end.capacity(), SectionLayout.headerCrc(head))) {
        throw damaged(last, "its end is damaged, cut off or that of another backup");
      }
      boolean full = head.getInt(12) == 0;
      BackupHead says =
          new BackupHead(
              name,
              full ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL,
              new UUID(head.getLong(32), head.getLong(40)),
              full ? null : new UUID(head.getLong(48), head.getLong(56)),
              new UUID(head.getLong(16), head.getLong(24)),
              Instant.ofEpochMilli(head.getLong(64)),
              end.getLong(NUMBER));
      return new Summary(says, section(end, last, format.endLength()), size);
    }
  }

  /**
   * Reads the first section, whose length is known.
   *
   * @throws BackupException if it has another one, or does not match its checksum
   */
  public Section first(int length) {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer first = read(file, SectionLayout.HEADER, HEAD + length);
      if (first.getLong(LENGTH) != length || !SectionLayout.matches(first, first.capacity(), 0)) {
        throw damaged(SectionLayout.HEADER, "its first section is damaged");
      }
      return section(first, SectionLayout.HEADER, length);
    }
  }

  /** Reads and checks all sections. */
  public void read(BackupProgress progress, Target target) {
    try (MediumFile file = medium.open(name)) {
      long size = file.size();
      long at = SectionLayout.HEADER;
      long sections = 0;
      ByteBuffer bytes = SectionLayout.buffer(HEAD + SectionLayout.MAX_LENGTH);
      int header = SectionLayout.headerCrc(read(file, 0, SectionLayout.HEADER));
      int kind = 0;
      while (at < size) {
        fill(file, bytes, at, HEAD, size);
        long length = bytes.getLong(LENGTH);
        if (length < 0 || length > SectionLayout.MAX_LENGTH) {
          throw damaged(at, "a section has an impossible length");
        }
        fill(file, bytes, at, HEAD + (int) length, size);
        if (!SectionLayout.matches(bytes, HEAD + (int) length, header)) {
          throw damaged(at, "a section does not match its checksum");
        }
        kind = bytes.getInt(0);
        if (kind == SectionLayout.END && length != format.endLength()) {
          throw damaged(at, "its end is invalid");
        }
        if (kind != SectionLayout.PADDING) {
          target.accept(section(bytes, at, (int) length));
        }
        at += HEAD + length;
        sections++;
        progress.update(name, (double) at / size);
      }
      if (kind != SectionLayout.END || bytes.getLong(HEAD + format.endLength() - 8) != sections) {
        throw damaged(at, "sections are missing");
      }
    }
  }

  private static Section section(ByteBuffer bytes, long at, int length) {
    ByteBuffer data = bytes.slice(HEAD, length).order(ByteOrder.LITTLE_ENDIAN);
    return new Section(at, bytes.getInt(0), bytes.getLong(NUMBER), bytes.getLong(COUNT), data);
  }

  private void fill(MediumFile file, ByteBuffer target, long at, int bytes, long size) {
    if (at + bytes > size || file.read(target.clear().limit(bytes), at) < bytes) {
      throw damaged(at, "it is cut off");
    }
    target.clear();
  }

  private ByteBuffer read(MediumFile file, long at, int bytes) {
    ByteBuffer b = SectionLayout.buffer(bytes);
    if (file.read(b, at) < bytes) {
      throw damaged(at, "it is cut off");
    }
    return b.clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Says that the file is damaged at a place. */
  public BackupException damaged(long at, String what) {
    return new BackupException(
        "The backup "
            + medium.location()
            + "/"
            + name
            + " cannot be used: "
            + what
            + " (byte "
            + at
            + ").");
  }
}
