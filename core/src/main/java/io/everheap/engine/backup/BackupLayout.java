package io.everheap.engine.backup;

import io.everheap.backup.BackupFormat;
import io.everheap.backup.SectionLayout;

/**
 * The sections of a heap's backup, which has the layout of {@link SectionLayout}.
 *
 * <pre>
 *   kind         number              count             data
 *   SUPERBLOCK   0                   0                 the superblock
 *   PAGES        first page          number of pages   the pages
 *   ZEROS        first page          number of pages   none
 *   FILE         position            size of the file  length of the name u16, name, bytes
 *   END          LSN of the end      size of the image LSN of the start, pages, sections: 3 x u64
 * </pre>
 */
final class BackupLayout {
  static final long MAGIC = 0x5055_4B42_5245_5645L; // "EVERBKUP"
  static final int VERSION = 1;

  static final int SUPERBLOCK = 1;
  static final int PAGES = 2;
  static final int ZEROS = 3;
  static final int FILE = 4;

  static final BackupFormat FORMAT = new BackupFormat(MAGIC, VERSION, 24, ".backup");

  private BackupLayout() {}
}
