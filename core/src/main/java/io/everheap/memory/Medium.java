package io.everheap.memory;

import io.everheap.error.DiskFullException;
import io.everheap.error.MediumException;
import io.everheap.error.ReadOnlyException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The storage of a heap's files, and the way in which bytes become durable on it: a minimal file
 * system with one directory.
 *
 * <p>Names are relative to the directory and use {@code /}: {@code heap}, {@code log/0001}. Any
 * thread may use a medium, and every operation completes even if the thread is interrupted, which
 * keeps its interrupt flag. Failures are {@link DiskFullException} if there is no space and {@link
 * MediumException} otherwise; changes of a read-only medium are refused with {@link
 * ReadOnlyException}; after {@link #close} every method throws {@link IllegalStateException}.
 */
public interface Medium extends AutoCloseable {
  /**
   * Returns the kind of this medium.
   *
   * @return {@code file}, {@code dax}, {@code memory} or the name of a simulation
   */
  String name();

  /**
   * Returns the location of this medium, for messages.
   *
   * @return the directory
   */
  String location();

  /**
   * Returns how stores to a shared mapping become durable.
   *
   * @return {@code true} if {@link Region#force} makes them durable; {@code false} if only {@link
   *     MediumFile#writeDurably} and {@link MediumFile#sync} make bytes durable
   */
  boolean byteAddressable();

  /**
   * Returns whether what is stored in files is encrypted.
   *
   * @return {@code true} if it is; then nothing may be copied from this medium to another one
   */
  default boolean encrypted() {
    return false;
  }

  /**
   * Returns whether the pages of an encrypted heap have digests with a key; in version 1 of
   * encrypted files they have checksums as in plaintext.
   *
   * @return {@code true} if they have
   */
  default boolean hasKeyedPages() {
    return false;
  }

  /**
   * Derives a key from the key of an encrypted medium.
   *
   * @param purpose what the key is for; each purpose has another key
   * @return 32 bytes
   * @throws UnsupportedOperationException if the medium is not encrypted
   */
  default byte[] derivedKey(String purpose) {
    throw new UnsupportedOperationException("not encrypted");
  }

  /**
   * Returns whether this medium refuses every change.
   *
   * @return {@code true} if it does
   */
  boolean readOnly();

  /**
   * Returns a text that changes whenever contents of shared mappings that were not durable may have
   * been lost: the kernel's boot id, or a random text if it is not known.
   *
   * @return the text
   */
  String incarnation();

  /**
   * Returns whether a file or a directory exists.
   *
   * @param name of it
   * @return {@code true} if it does
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
   * @param how the method to use; if the file system refuses it, the next simpler one is used: see
   *     {@link MediumFile#durableWrite}
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
   * @return the simplest method whose speed is close to the best
   */
  DurableWrite probeDurableWrite();

  /**
   * Checks that the names of all files that are open for changes still lead to them, that they were
   * not truncated, and that no other process has opened the heap. Cheap, but not cheap enough for
   * each commit.
   *
   * @throws MediumException if not; the message names the file and says what to do
   */
  default void requireIntact() {}

  /**
   * Returns whether there is so little room that a store to a mapped page may have failed for want
   * of it: a file system that copies on write needs room also for a page that has its block.
   *
   * @return {@code false} also if this is not known
   */
  default boolean isFull() {
    return lacksRoom(4 << 20);
  }

  /**
   * Returns whether the storage is known to have fewer free bytes than the given number.
   *
   * @param bytes that are to be written
   */
  default boolean lacksRoom(long bytes) {
    return false;
  }

  /**
   * Returns whether the file system may write a page that has its block to another one: always on
   * btrfs, and on xfs for files that share blocks since they were copied with reflinks.
   *
   * @return {@code false} also if this is not known
   */
  default boolean copiesOnWrite() {
    return false;
  }

  /**
   * Starts a thread that checks {@link #requireIntact} about once per second and renews the lock,
   * which the operating system drops when this process closes any descriptor of the lock file. Does
   * nothing if only this process can reach the files.
   *
   * @param further an additional check; throws if something is wrong
   * @param onFailure receives the failure once, in that thread, which then ends
   * @return the watch, to be closed before the medium
   */
  default Watch watch(Runnable further, Consumer<Throwable> onFailure) {
    return () -> {};
  }

  /**
   * Makes a file on which nothing depends, which other processes read while it is written.
   *
   * @param name that may exist
   * @param content of the file at first
   * @return the file, or null if only this process can reach the files
   */
  default @Nullable LooseFile loose(String name, ByteBuffer content) {
    return null;
  }

  /** The thread of {@link #watch}. */
  interface Watch extends AutoCloseable {
    /** Ends the thread, and waits for it unless it is the calling one. Idempotent. */
    @Override
    void close();
  }

  /**
   * Closes the medium after a refusal. What opening it made, such as a directory and the file of
   * the lock, is deleted if nothing else is there, so that the refused call leaves nothing behind.
   */
  default void abandon() {
    close();
  }

  /** Releases the heap's lock. The files and regions must be closed before. Idempotent. */
  @Override
  void close();
}
