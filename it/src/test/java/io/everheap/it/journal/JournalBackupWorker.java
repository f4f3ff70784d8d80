package io.everheap.it.journal;

import io.everheap.journal.JournalBackup;
import io.everheap.journal.JournalBackups;
import io.everheap.report.Backup;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The process that is killed while it appends to a journal and backs it up. A new process continues
 * the chain of incremental backups: nothing of what a backup has is lost by a kill.
 */
public final class JournalBackupWorker {
  /** Bytes of what it tells: the next sequence of a backup that is complete. */
  static final int FRAME = 8;

  private static final int THREADS = 4;
  private static final int CHAIN = 20;

  private JournalBackupWorker() {}

  /** Works until it is killed: the directory of the journal, that of the backups, and the run. */
  @SuppressWarnings("resource") // nothing is closed before the process ends
  public static void main(String[] arguments) {
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    try {
      JournalLedger ledger = JournalWorker.open(Path.of(arguments[0]), 0);
      int run = Integer.parseInt(arguments[2]);
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        Thread.ofPlatform().start(() -> append(ledger, run, thread));
      }
      JournalBackups backups = JournalBackups.in(Path.of(arguments[1]));
      for (int i = 0; ; i++) {
        Backup.Kind kind =
            i % CHAIN == CHAIN - 1 || (run == 0 && i == 0)
                ? Backup.Kind.FULL
                : Backup.Kind.INCREMENTAL;
        JournalBackup backup = backups.take(ledger.journal(), kind);
        tell(out, backup.nextSequence());
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void append(JournalLedger ledger, int run, int thread) {
    try {
      for (long number = 0; ; number++) {
        ledger.append(run, thread, number);
      }
    } catch (Throwable e) {
      fail(e);
    }
  }

  private static void tell(OutputStream out, long number) throws IOException {
    out.write(ByteBuffer.allocate(FRAME).putLong(number).array());
  }

  private static void fail(Throwable cause) {
    cause.printStackTrace();
    Runtime.getRuntime().halt(1);
  }
}
