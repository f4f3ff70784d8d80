package io.everheap.backup;

import static io.everheap.backup.SectionLayout.COUNT;
import static io.everheap.backup.SectionLayout.CRC;
import static io.everheap.backup.SectionLayout.HEAD;
import static io.everheap.backup.SectionLayout.LENGTH;
import static io.everheap.backup.SectionLayout.NUMBER;

import io.everheap.report.Backup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes the sections of a backup one after the other. Used by one thread. */
public final class SectionWriter {
  private final BackupSink sink;
  private final BackupFormat format;
  private final ByteBuffer section = SectionLayout.buffer(HEAD + SectionLayout.MAX_LENGTH);
  private long position;
  private long sections;
  private int header; // its CRC

  /** Begins a backup of some format. */
  public SectionWriter(BackupSink sink, BackupFormat format) {
    this.sink = sink;
    this.format = format;
  }

  /** Writes the header, which comes first. */
  public void header(Backup.Kind kind, UUID origin, UUID id, @Nullable UUID base, long millis) {
    UUID before = base == null ? new UUID(0, 0) : base;
    section.putLong(0, format.magic()).putInt(8, format.version());
    section.putInt(12, kind == Backup.Kind.FULL ? 0 : 1);
    section.putLong(16, origin.getMostSignificantBits());
    section.putLong(24, origin.getLeastSignificantBits());
    section.putLong(32, id.getMostSignificantBits()).putLong(40, id.getLeastSignificantBits());
    section.putLong(48, before.getMostSignificantBits());
    section.putLong(56, before.getLeastSignificantBits()).putLong(64, millis);
    header = SectionLayout.headerCrc(section);
    section.putInt(SectionLayout.HEADER_CRC, header).putInt(76, 0);
    append(section.slice(0, SectionLayout.HEADER));
  }

  /** The part of the buffer that takes the data of the next section. */
  public ByteBuffer data() {
    return section.slice(HEAD, SectionLayout.MAX_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Writes a section with the first bytes of {@link #data}. */
  public void section(int kind, long number, long count, int length) {
    section(0, kind, number, count, length);
  }

  /**
   * Writes a section with some bytes of {@link #data}.
   *
   * @param from where they begin there; up to 32 bytes before are overwritten
   */
  public void section(int from, int kind, long number, long count, int length) {
    ByteBuffer s = section.slice(from, HEAD + length).order(ByteOrder.LITTLE_ENDIAN);
    s.putInt(0, kind).putLong(NUMBER, number).putLong(COUNT, count).putLong(LENGTH, length);
    s.putInt(CRC, SectionLayout.crc(s, HEAD + length, header));
    append(s);
    sections++;
  }

  /**
   * Writes the last section, whose data is in {@link #data} except for the number of sections, and
   * makes everything durable.
   *
   * @param end up to where the origin is in the backup
   */
  public void finish(long end, long count) {
    ByteBuffer last = ByteBuffer.allocate(format.endLength());
    section.get(HEAD, last.array());
    long rest = -(position + 2 * HEAD + format.endLength()) & sink.block() - 1;
    if (sink.block() > 1) {
      section.slice(HEAD, (int) rest).put(new byte[(int) rest]);
      section(SectionLayout.PADDING, 0, 0, (int) rest);
    }
    section.put(HEAD, last.array());
    section.putLong(HEAD + format.endLength() - 8, sections + 1);
    section(SectionLayout.END, end, count, format.endLength());
    sink.sync();
  }

  private void append(ByteBuffer bytes) {
    int length = bytes.remaining();
    sink.append(bytes);
    position += length;
  }

  /** Bytes written so far. */
  public long size() {
    return position;
  }
}
