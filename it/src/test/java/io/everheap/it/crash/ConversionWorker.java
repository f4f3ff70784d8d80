package io.everheap.it.crash;

import io.everheap.Heap;
import io.everheap.HeapKeys;
import io.everheap.memory.FileMedium;
import io.everheap.report.BackupProgress;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.nio.file.Path;

/** A process that encrypts a heap, renews its data key and decrypts it, until it is killed. */
public final class ConversionWorker {
  /** Bytes of what it tells after each conversion. */
  static final int BYTES = 1;

  private ConversionWorker() {}

  /** Whether a heap is encrypted; completes a conversion that was interrupted. */
  private static boolean isEncrypted(Path heap) {
    try (FileMedium medium = FileMedium.open(heap, false, false)) {
      return medium.exists("keys");
    }
  }

  /** Opens the heap as it is. */
  static Heap open(Path heap) {
    return isEncrypted(heap)
        ? Heap.builder(heap).encrypt(KilledConversionTest.key()).open()
        : Heap.open(heap);
  }

  /**
   * Converts.
   *
   * @param arguments the directory
   */
  public static void main(String[] arguments) throws Exception {
    FileOutputStream out = new FileOutputStream(FileDescriptor.out);
    System.setOut(System.err);
    Path heap = Path.of(arguments[0]);
    var key = KilledConversionTest.key();
    while (true) {
      if (isEncrypted(heap)) {
        HeapKeys.renew(heap, key, key, BackupProgress.NONE);
        out.write(1);
        HeapKeys.decrypt(heap, key, BackupProgress.NONE);
      } else {
        HeapKeys.encrypt(heap, key, BackupProgress.NONE);
      }
      out.write(1);
    }
  }
}
