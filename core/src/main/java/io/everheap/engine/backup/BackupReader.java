package io.everheap.engine.backup;

import static io.everheap.engine.backup.BackupLayout.COUNT;
import static io.everheap.engine.backup.BackupLayout.HEAD;
import static io.everheap.engine.backup.BackupLayout.LENGTH;
import static io.everheap.engine.backup.BackupLayout.NUMBER;

import io.everheap.engine.HeapRebuild;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.error.BackupException;
import io.everheap.error.FormatVersionException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** Reads a backup's file, which may be damaged or foreign. Used by one thread. */
final class BackupReader {
  /** Receives the sections in their order. Buffers are valid during the call only. */
  interface Sections {
    /** The superblock from which recovery begins. */
    default void superblock(Superblock superblock) {}

    /** Pages with contents. */
    default void pages(long first, long count, ByteBuffer images) {}

    /** Pages of zeros. */
    default void zeros(long first, long count) {}

    /** A part of a file beside the home image. */
    default void file(String name, long position, ByteBuffer bytes) {}
  }

  private final Medium medium;
  private final String name;
  private final BackupProgress progress;

  BackupReader(Medium medium, String name, BackupProgress progress) {
    this.medium = medium;
    this.name = name;
    this.progress = progress;
  }

  /** Reads the head and the end, without the sections between. */
  Backup describe() {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer head = read(file, 0, BackupLayout.HEADER);
      if (head.getLong(0) != BackupLayout.MAGIC) {
        throw damaged(0, "it is not a backup");
      }
      if (head.getInt(BackupLayout.HEADER_CRC) != BackupLayout.headerCrc(head)) {
        throw damaged(0, "its header is damaged");
      }
      if (head.getInt(8) != BackupLayout.VERSION) {
        throw new FormatVersionException(where(), head.getInt(8), BackupLayout.VERSION);
      }
      long size = file.size();
      long last = size - HEAD - BackupLayout.END_LENGTH;
      if (last < BackupLayout.HEADER) {
        throw damaged(size, "it is cut off");
      }
      ByteBuffer end = read(file, last, HEAD + BackupLayout.END_LENGTH);
      if (end.getInt(0) != BackupLayout.END
          || end.getInt(BackupLayout.CRC) != BackupLayout.crc(end, end.capacity())) {
        throw damaged(last, "its end is damaged or cut off");
      }
      UUID base = new UUID(head.getLong(48), head.getLong(56));
      boolean full = head.getInt(12) == 0;
      return new Backup(
          name,
          full ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL,
          new UUID(head.getLong(32), head.getLong(40)),
          full ? null : base,
          new UUID(head.getLong(16), head.getLong(24)),
          Instant.ofEpochMilli(head.getLong(64)),
          end.getLong(HEAD),
          end.getLong(NUMBER),
          end.getLong(HEAD + 8),
          end.getLong(COUNT),
          size);
    }
  }

  /** The superblock of the checkpoint with which it begins, in the first section. */
  Superblock start() {
    try (MediumFile file = medium.open(name)) {
      ByteBuffer first = read(file, BackupLayout.HEADER, HEAD + Superblock.SIZE);
      if (first.getInt(0) == BackupLayout.SUPERBLOCK
          && first.getInt(BackupLayout.CRC) == BackupLayout.crc(first, first.capacity())
          && Superblock.decode(first.slice(HEAD, Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN))
              instanceof Superblock.Slot.Valid(Superblock s)) {
        return s;
      }
      throw damaged(BackupLayout.HEADER, "its superblock is invalid");
    }
  }

  /** Reads and checks all sections. */
  void read(Sections target) {
    try (MediumFile file = medium.open(name)) {
      long size = file.size();
      long at = BackupLayout.HEADER;
      long sections = 0;
      ByteBuffer section = BackupLayout.buffer(HEAD + BackupLayout.MAX_LENGTH);
      int kind = 0;
      while (at < size) {
        fill(file, section, at, HEAD, size);
        long length = section.getLong(LENGTH);
        if (length < 0 || length > BackupLayout.MAX_LENGTH) {
          throw damaged(at, "a section has an impossible length");
        }
        fill(file, section, at, HEAD + (int) length, size);
        if (section.getInt(BackupLayout.CRC) != BackupLayout.crc(section, HEAD + (int) length)) {
          throw damaged(at, "a section does not match its checksum");
        }
        kind = section.getInt(0);
        pass(section, at, (int) length, target);
        at += HEAD + length;
        sections++;
        progress.update(name, (double) at / size);
      }
      if (kind != BackupLayout.END || section.getLong(HEAD + 16) != sections) {
        throw damaged(at, "sections are missing");
      }
    }
  }

  private void pass(ByteBuffer section, long at, int length, Sections target) {
    long number = section.getLong(NUMBER);
    long count = section.getLong(COUNT);
    ByteBuffer data = section.slice(HEAD, length).order(ByteOrder.LITTLE_ENDIAN);
    switch (section.getInt(0)) {
      case BackupLayout.SUPERBLOCK -> {
        if (length < Superblock.SIZE
            || !(Superblock.decode(data) instanceof Superblock.Slot.Valid(Superblock s))) {
          throw damaged(at, "its superblock is invalid");
        }
        target.superblock(s);
      }
      case BackupLayout.PAGES -> {
        requirePages(at, number, count);
        if (length != count * HomeLayout.PAGE_SIZE) {
          throw damaged(at, "pages are missing");
        }
        target.pages(number, count, data);
      }
      case BackupLayout.ZEROS -> {
        requirePages(at, number, count);
        target.zeros(number, count);
      }
      case BackupLayout.FILE -> {
        int text = length < 2 ? 0 : data.getShort(0);
        if (text <= 0 || 2 + text > length) {
          throw damaged(at, "the name of a file is invalid");
        }
        byte[] bytes = new byte[text];
        data.get(2, bytes);
        String file = new String(bytes, StandardCharsets.UTF_8);
        if (!HeapRebuild.isFile(file) || number < 0) {
          throw damaged(at, "a heap has no file " + file);
        }
        target.file(file, number, data.slice(2 + text, length - 2 - text));
      }
      case BackupLayout.END -> {
        if (length != BackupLayout.END_LENGTH
            || number < 0
            || count < HomeLayout.INITIAL_CAPACITY
            || count > HomeLayout.MAX_CAPACITY
            || count % HomeLayout.CHUNK_SIZE != 0) {
          throw damaged(at, "its end is invalid");
        }
      }
      default -> throw damaged(at, "a section has an unknown kind");
    }
  }

  private void requirePages(long at, long first, long count) {
    long most = HomeLayout.MAX_CAPACITY / HomeLayout.PAGE_SIZE;
    if (first < HomeLayout.CATALOG_ADDRESS / HomeLayout.PAGE_SIZE
        || first > most
        || count < 1
        || count > most - first) {
      throw damaged(at, "a heap has no such pages");
    }
  }

  private void fill(MediumFile file, ByteBuffer target, long at, int bytes, long size) {
    if (at + bytes > size || file.read(target.clear().limit(bytes), at) < bytes) {
      throw damaged(at, "it is cut off");
    }
    target.clear();
  }

  private ByteBuffer read(MediumFile file, long at, int bytes) {
    ByteBuffer b = BackupLayout.buffer(bytes);
    if (file.read(b, at) < bytes) {
      throw damaged(at, "it is cut off");
    }
    return b.clear().order(ByteOrder.LITTLE_ENDIAN);
  }

  private String where() {
    return medium.location() + "/" + name;
  }

  private BackupException damaged(long at, String what) {
    return new BackupException(
        "The backup " + where() + " cannot be used: " + what + " (byte " + at + ").");
  }
}
