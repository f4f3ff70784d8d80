package io.everheap.backup;

import io.everheap.memory.DirectoryKind;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;

/**
 * A backup that is being written. Until it is complete and durable, its file has a name that no
 * list has; one that is not completed is deleted. Used by one thread.
 */
public final class UnfinishedBackup implements AutoCloseable {
  private final Medium target;
  private final String name;
  private final MediumFile file;
  private final SectionWriter out;
  private boolean named;

  UnfinishedBackup(Medium target, BackupFormat format) {
    DirectoryKind.BACKUPS.requireNoOther(target);
    this.target = target;
    this.name = "unfinished" + format.suffix() + ".new";
    target.delete(name);
    this.file = target.create(name);
    this.out = new SectionWriter(new FileSink(target, file), format);
  }

  /** Takes the sections. */
  public SectionWriter out() {
    return out;
  }

  /** Gives the file its name; the sections are durable before, the name is on return. */
  public void complete(String as) {
    file.close();
    target.rename(name, as);
    named = true;
    target.syncDirectory("");
  }

  @Override
  public void close() {
    if (!named) {
      file.close();
      target.delete(name);
    }
  }
}
