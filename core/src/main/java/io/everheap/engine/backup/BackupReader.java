package io.everheap.engine.backup;

import io.everheap.backup.BackupHead;
import io.everheap.backup.SectionLayout;
import io.everheap.backup.SectionReader;
import io.everheap.engine.HeapRebuild;
import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.engine.log.LogLayout;
import io.everheap.memory.Medium;
import io.everheap.report.Backup;
import io.everheap.report.BackupProgress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Reads the file of a heap's backup, which may be damaged or foreign. Used by one thread. */
final class BackupReader {
  /** Receives the sections in their order. Buffers are valid during the call only. */
  interface Sections {
    /** The superblock from which recovery begins. */
    default void superblock(Superblock superblock) {}

    /** Pages with contents. */
    default void pages(long first, long count, ByteBuffer images) {}

    /** Pages of zeros. */
    default void zeros(long first, long count) {}

    /** A part of a file beside the home image, which has some size; at its end there are zeros. */
    default void file(String name, long position, ByteBuffer bytes, long size) {}
  }

  private final SectionReader reader;
  private final BackupProgress progress;

  BackupReader(Medium medium, String name, BackupProgress progress) {
    this.reader = new SectionReader(medium, name, BackupLayout.FORMAT);
    this.progress = progress;
  }

  /** Reads the head and the end, without the sections between. */
  Backup describe() {
    SectionReader.Summary summary = reader.summary();
    BackupHead head = summary.head();
    ByteBuffer end = summary.end().data();
    return new Backup(
        head.name(),
        head.kind(),
        head.id(),
        head.base(),
        head.origin(),
        head.created(),
        end.getLong(0),
        head.end(),
        end.getLong(8),
        summary.end().count(),
        summary.size());
  }

  /** The superblock of the checkpoint with which it begins, in the first section. */
  Superblock start() {
    SectionReader.Section first = reader.first(Superblock.SIZE);
    if (first.kind() == BackupLayout.SUPERBLOCK
        && Superblock.decode(first.data()) instanceof Superblock.Slot.Valid(Superblock s)) {
      return s;
    }
    throw reader.damaged(first.at(), "its superblock is invalid");
  }

  /** Reads and checks all sections. */
  void read(Sections target) {
    reader.read(progress, section -> pass(section, target));
  }

  private void pass(SectionReader.Section section, Sections target) {
    long at = section.at();
    long number = section.number();
    long count = section.count();
    ByteBuffer data = section.data();
    int length = data.capacity();
    switch (section.kind()) {
      case BackupLayout.SUPERBLOCK -> {
        if (length < Superblock.SIZE
            || !(Superblock.decode(data) instanceof Superblock.Slot.Valid(Superblock s))) {
          throw reader.damaged(at, "its superblock is invalid");
        }
        target.superblock(s);
      }
      case BackupLayout.PAGES -> {
        requirePages(at, number, count);
        if (length != count * HomeLayout.PAGE_SIZE) {
          throw reader.damaged(at, "pages are missing");
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
          throw reader.damaged(at, "the name of a file is invalid");
        }
        byte[] bytes = new byte[text];
        data.get(2, bytes);
        String file = new String(bytes, StandardCharsets.UTF_8);
        ByteBuffer part = data.slice(2 + text, length - 2 - text);
        if (!HeapRebuild.isFile(file)
            || (HeapRebuild.isLog(file) && count > LogLayout.MAX_SIZE)
            || number < 0
            || number > count - part.capacity()) {
          throw reader.damaged(at, "a heap has no file " + file + " of " + count + " bytes");
        }
        target.file(file, number, part, count);
      }
      case SectionLayout.END -> {
        if (number < 0
            || count < HomeLayout.INITIAL_CAPACITY
            || count > HomeLayout.MAX_CAPACITY
            || count % HomeLayout.CHUNK_SIZE != 0) {
          throw reader.damaged(at, "its end is invalid");
        }
      }
      default -> throw reader.damaged(at, "a section has an unknown kind");
    }
  }

  private void requirePages(long at, long first, long count) {
    long most = HomeLayout.MAX_CAPACITY / HomeLayout.PAGE_SIZE;
    if (first < HomeLayout.CATALOG_ADDRESS / HomeLayout.PAGE_SIZE
        || first > most
        || count < 1
        || count > most - first) {
      throw reader.damaged(at, "a heap has no such pages");
    }
  }
}
