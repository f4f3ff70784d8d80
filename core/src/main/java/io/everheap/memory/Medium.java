package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyHeapException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where a heap's files live and how bytes become durable there: a tiny file system of one
 * directory.
 *
 * <p>Names are relative to the directory and use {@code /}: {@code heap}, {@code log/0001}. Any
 * thread may use a medium, and every operation completes even if the thread is interrupted, which
 * keeps its interrupt flag. Failures are {@link DiskFullException} when there is no room and {@link
 * MediumException} otherwise; changes of a read-only medium are refused with {@link
 * ReadOnlyHeapException}; after {@link #close} everything throws {@link IllegalStateException}.
 */
public interface Medium extends AutoCloseable {
  /**
   * Returns the kind of this medium.
   *
   * @return {@code file}, {@code dax}, {@code memory} or the name of a simulation
   */
  String name();

  /**
   * Returns where this medium is, for messages.
   *
   * @return the directory
   */
  String location();

  /**
   * Tells how a shared mapping becomes durable.
   *
   * @return {@code true} if {@link Region#force} does it; {@code false} if bytes become durable
   *     with {@link MediumFile#writeDurably} and {@link MediumFile#sync} only
   */
  boolean byteAddressable();

  /**
   * Tells whether this medium refuses every change.
   *
   * @return {@code true} if it does
   */
  boolean readOnly();

  /**
   * Returns a text that changes whenever undurable contents of shared mappings may have been lost:
   * the kernel's boot id, or a random text where none is known.
   *
   * @return the text
   */
  String incarnation();

  /**
   * Tells whether a file is there.
   *
   * @param name the file
   * @return {@code true} if it is
   */
  boolean exists(String name);

  /**
   * Lists the files of a directory.
   *
   * @param directory its name, or the empty string for the heap's directory
   * @return their names without the directory, sorted; empty if there is no such directory
   */
  List<String> list(String directory);

  /**
   * Creates an empty file that only its owner can access, and the directories above it. The file
   * survives a power loss after its {@link MediumFile#sync} and {@link #syncDirectory} of every
   * directory that changed.
   *
   * @param name a file that does not exist
   * @return the file, open
   */
  MediumFile create(String name);

  /**
   * Opens a file.
   *
   * @param name a file that exists
   * @return the file, open; its {@link MediumFile#writeDurably} uses {@link DurableWrite#FDATASYNC}
   */
  MediumFile open(String name);

  /**
   * Opens a file for {@link MediumFile#writeDurably}.
   *
   * @param name a file that exists
   * @param how the way to use; where the file system refuses it, the next simpler one is taken, as
   *     {@link MediumFile#durableWrite} tells
   * @return the file, open
   */
  MediumFile openLog(String name, DurableWrite how);

  /**
   * Renames a file atomically, replacing the target if it exists. Neither may be open; regions that
   * are mapped from them stay valid.
   *
   * @param from a file that exists
   * @param to the new name, in a directory that exists
   */
  void rename(String from, String to);

  /**
   * Deletes a file if it exists. It may not be open; regions that are mapped from it stay valid.
   *
   * @param name the file
   */
  void delete(String name);

  /**
   * Makes the creations, renames and deletions in a directory durable.
   *
   * @param directory its name, or the empty string for the heap's directory
   */
  void syncDirectory(String directory);

  /**
   * Finds the fastest durable write with a few timed writes to a temporary file. Takes some
   * milliseconds.
   *
   * @return the simplest way whose speed is close to the best
   */
  DurableWrite probeDurableWrite();

  /**
   * Checks that the names of all files that are open to be changed still lead to them, that nothing
   * cut them, and that no other process took over. Cheap, but not for each commit.
   *
   * @throws MediumException if not; it names the file and says what to do
   */
  default void requireIntact() {}

  /**
   * Lets a thread check the same about once in a second, and renew the lock, which the operating
   * system drops when this process closes any file that is the lock file. Does nothing where only
   * this process can reach the files.
   *
   * @param further what else to check; throws if something is wrong
   * @param onFailure is told once what is wrong, in that thread, which then ends
   * @return to be closed before the medium; returns when the thread has ended
   */
  default Watch watch(Runnable further, Consumer<Throwable> onFailure) {
    return () -> {};
  }

  /** The thread of {@link #watch}. */
  interface Watch extends AutoCloseable {
    /** Ends the thread, and waits for it unless it is the calling one. Idempotent. */
    @Override
    void close();
  }

  /** Releases the heap's lock. The files and regions must be closed before. Idempotent. */
  @Override
  void close();
}
