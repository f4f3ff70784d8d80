package io.everheap.engine;

import io.everheap.engine.home.HomeLayout;
import io.everheap.engine.home.Superblock;
import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the superblocks of a heap, including the one that opening does not use. Stateless; reads
 * only.
 */
public final class FileCheck {
  /** Name of the home file. */
  public static final String HOME = HeapFiles.HOME;

  private FileCheck() {}

  /**
   * A damaged place in a file.
   *
   * @param kind see {@code VerifyReport}
   * @param file relative to the heap's directory
   * @param offset in bytes
   * @param message what was found
   */
  public record Finding(String kind, String file, long offset, String message) {}

  /** Checks the newest superblock of a heap that is open for writing; the other may be changing. */
  static List<Finding> newestSuperblock(MediumFile file, long address) {
    return slot(file, address) instanceof Superblock.Slot.Valid
        ? List.of()
        : List.of(damaged(address, null));
  }

  /** Checks both superblocks of a heap that is not open anywhere. */
  public static List<Finding> superblocks(Medium medium) {
    try (MediumFile file = medium.open(HOME)) {
      return superblocks(medium, file);
    }
  }

  /** Checks both superblocks of a heap that is open for reading only. */
  static List<Finding> superblocks(Medium medium, MediumFile file) {
    Superblock.Slot a = slot(file, HomeLayout.SUPERBLOCK_A);
    Superblock.Slot b = slot(file, HomeLayout.SUPERBLOCK_B);
    Superblock newest = Superblock.newest(a, b);
    List<Finding> found = new ArrayList<>();
    // A newly created heap has one superblock only.
    boolean single = newest != null && newest.generation() == 1;
    boolean tearable = medium.encrypted() && newest != null;
    if (!(a instanceof Superblock.Slot.Valid)
        && !single
        && !(tearable && isTorn(file, HomeLayout.SUPERBLOCK_A))) {
      found.add(damaged(HomeLayout.SUPERBLOCK_A, newest));
    }
    if (!(b instanceof Superblock.Slot.Valid)
        && !(tearable && isTorn(file, HomeLayout.SUPERBLOCK_B))) {
      found.add(damaged(HomeLayout.SUPERBLOCK_B, newest));
    }
    if (a instanceof Superblock.Slot.Valid(Superblock x)
        && b instanceof Superblock.Slot.Valid(Superblock y)
        && (!x.uuid().equals(y.uuid()) || Math.abs(x.generation() - y.generation()) != 1)) {
      String message =
          "the superblocks do not belong together: generation "
              + x.generation()
              + " of heap "
              + x.uuid()
              + " at byte 0, generation "
              + y.generation()
              + " of heap "
              + y.uuid()
              + " at byte 4096";
      found.add(new Finding("superblock", HOME, HomeLayout.SUPERBLOCK_A, message));
    }
    return found;
  }

  /**
   * Whether a slot of an encrypted heap is authentic though its checksum is wrong: a superblock is
   * in two sectors there, of which a crash may have left one as it was.
   */
  private static boolean isTorn(MediumFile file, long address) {
    try {
      file.read(ByteBuffer.allocate(Superblock.SIZE), address);
      return slot(file, address) instanceof Superblock.Slot.Damaged;
    } catch (CorruptException e) {
      return false;
    }
  }

  private static Finding damaged(long address, @Nullable Superblock other) {
    String message =
        other == null
            ? "the superblock is damaged"
            : "the superblock is damaged; the heap opens by the other one, of generation "
                + other.generation()
                + ", which may be older";
    return new Finding("superblock", HOME, address, message);
  }

  /** Decodes the superblock in a slot; the file may be too short for it. */
  static Superblock.Slot slot(MediumFile file, long position) {
    ByteBuffer bytes = ByteBuffer.allocate(Superblock.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    try {
      file.read(bytes, position);
    } catch (CorruptException e) { // of an encrypted file: not authentic
      return new Superblock.Slot.Damaged();
    }
    return Superblock.decode(bytes.clear().order(ByteOrder.LITTLE_ENDIAN));
  }
}
