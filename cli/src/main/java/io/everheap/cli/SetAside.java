package io.everheap.cli;

import io.everheap.Heap;
import io.everheap.Root;
import io.everheap.collection.Undecodable;
import java.io.IOException;
import java.util.Iterator;

/**
 * Moves the undecodable entries of roots to a file. Each root is one transaction: it writes the
 * entries to the file, makes the file durable, and removes them. A crash before the commit leaves
 * them in the heap, perhaps also in the file; a crash after it leaves them in the file.
 */
final class SetAside {
  private final Heap heap;
  private final SetAsideFile file;

  SetAside(Heap heap, SetAsideFile file) {
    this.heap = heap;
    this.file = file;
  }

  /** Entries, to compare those that were written with those that were removed. */
  private record Tally(long count, long hashes) {
    static final Tally NONE = new Tally(0, 0);

    Tally and(Undecodable entry) {
      return new Tally(count + 1, hashes + entry.hashCode());
    }
  }

  /**
   * Moves the entries of a root, and returns their number.
   *
   * @throws RefusedException if only the program can remove them; they stay in the heap
   * @throws IOException if they cannot be written; they stay in the heap
   * @throws io.everheap.error.UnsupportedTypeException if only the program knows a type of the root
   */
  long move(Root root) throws IOException {
    return heap.<Long, IOException>transact(() -> moveInside(root));
  }

  private long moveInside(Root root) throws IOException {
    file.mark();
    try {
      Tally written = write(root);
      if (written.count() > 0) {
        file.sync();
        remove(root, written);
      }
      return written.count();
    } catch (IOException | RuntimeException e) {
      takeBack(e);
      throw e;
    }
  }

  private void takeBack(Exception reason) {
    try {
      file.takeBack();
    } catch (IOException e) {
      reason.addSuppressed(e); // then the entries are in the heap and in the file
    }
  }

  private Tally write(Root root) throws IOException {
    Tally written = Tally.NONE;
    for (Iterator<Undecodable> i = heap.undecodable(root.name()); i.hasNext(); ) {
      Undecodable found = i.next();
      file.write(new UndecodableEntry(root, found).json());
      written = written.and(found);
    }
    return written;
  }

  private void remove(Root root, Tally written) {
    Tally removed = Tally.NONE;
    for (Iterator<Undecodable> i = heap.undecodable(root.name()); i.hasNext(); ) {
      removed = removed.and(i.next());
      try {
        i.remove();
      } catch (UnsupportedOperationException e) {
        throw new RefusedException(
            "it is a " + root.kind() + ", from which only the program can remove them");
      }
    }
    if (!removed.equals(written)) {
      throw new IllegalStateException(
          "the undecodable entries of " + root.name() + " changed while they were moved");
    }
  }
}
