package io.everheap.memory.crypt;

import io.everheap.encryption.KeyProvider;
import io.everheap.error.EncryptionException;
import io.everheap.memory.DurableWrite;
import io.everheap.memory.LooseFile;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A medium whose files are encrypted on another one. Shared mappings stay in memory and are lost
 * with the process, as its {@linkplain #incarnation incarnation} says, so nothing that is not
 * encrypted reaches a file. Closing it closes the medium under it and erases the data key.
 */
public final class SealedMedium implements Medium {
  /**
   * What a directory may hold in which a heap is created, and {@code heap.deleted}, the last file
   * that a deletion removes, after the keys. The file of the lock is not opened: when it is closed,
   * POSIX drops the lock.
   */
  private static final Set<String> IGNORED =
      Set.of("lock", "owner", KeyFile.UNFINISHED, "heap.deleted");

  /** The home image of a heap, and what the names of all files about its pages begin with. */
  private static final String HOME = "heap";

  private static final String CACHE = "cache";

  private final Medium under;
  private final Sealer sealer;
  private final String incarnation = UUID.randomUUID().toString();
  private final Map<String, FileTurn> turns = new ConcurrentHashMap<>();
  private final int pageVersion;

  private SealedMedium(Medium under, Sealer sealer) {
    this.under = under;
    this.sealer = sealer;
    this.pageVersion = pageVersion(under);
  }

  /** The version of a heap's files with pages: that of its home image, or the newest. */
  private static int pageVersion(Medium under) {
    if (!under.exists(HOME)) {
      return FileHeader.KEYED_ENTRIES;
    }
    ByteBuffer b = ByteBuffer.allocate(FileHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
    try (MediumFile file = under.open(HOME)) {
      file.read(b, 0);
    }
    FileHeader header = FileHeader.decode(b);
    return header == null
        ? FileHeader.KEYED_ENTRIES
        : header.version(); // refused when it is opened
  }

  /**
   * Opens the encrypted files on a medium; creates a data key if the medium is empty.
   *
   * @param under holds what is encrypted; it stays open if this method throws
   * @param provider of the wrapping key
   * @throws EncryptionException if there is a heap that is not encrypted, if the key is not the
   *     heap's, or on byte-addressable storage, which stores reach as they are
   */
  public static SealedMedium open(Medium under, KeyProvider provider) {
    return open(under, provider, Refusal.THROW);
  }

  /** The same, with another answer to what is not authentic. */
  public static SealedMedium open(Medium under, KeyProvider provider, Refusal refusal) {
    requireFiles(under, provider);
    boolean isNew = !under.exists(KeyFile.NAME);
    if (isNew) {
      requireNew(under);
    }
    KeyFile keys = isNew ? KeyFile.create(under, provider) : KeyFile.read(under);
    byte[] key = isNew ? keys.dataKeyOrDelete(under, provider) : keys.dataKey(under, provider);
    if (!isNew && !under.readOnly()) {
      KeyFile.sync(under);
    }
    return new SealedMedium(under, new Sealer(under.location(), keys.id(), key, refusal));
  }

  /**
   * Checks that there are files under what is to be encrypted.
   *
   * @param provider null if nothing is
   * @throws EncryptionException on byte-addressable storage, which stores reach as they are
   */
  public static void requireFiles(Medium under, @Nullable KeyProvider provider) {
    if (provider != null && under.byteAddressable()) {
      throw new EncryptionException(
          under.location()
              + " is on byte-addressable storage ("
              + under.name()
              + "), where stores reach the medium as they are: a heap there cannot be encrypted.");
    }
  }

  private static void requireNew(Medium under) {
    requireNoneSealed(under);
    for (String name : List.of("heap", "journal", "store")) {
      if (under.exists(name)) {
        throw new EncryptionException(
            "The "
                + name
                + " at "
                + under.location()
                + " is not encrypted: open it without a key. To encrypt it: everheap encrypt for a"
                + " heap, or restore an encrypted backup of it.");
      }
    }
    for (String name : under.list("")) {
      if (!IGNORED.contains(name)) {
        throw new EncryptionException(
            under.location()
                + " has no file of keys but other files ("
                + name
                + "): nothing there is encrypted. To create what is encrypted, choose an empty"
                + " directory.");
      }
    }
    if (under.readOnly()) {
      throw new EncryptionException("Nothing is encrypted in " + under.location() + ".");
    }
  }

  /**
   * Checks a data key before it is wrapped again: a provider that returns another key than the one
   * that was wrapped would make everything unreadable. Files that are damaged do not matter as long
   * as one sector is authentic.
   *
   * @throws EncryptionException if there are encrypted files, and the key opens none of them
   */
  static void requireOpens(Medium under, FileId id, byte[] key) {
    int[] refused = {0};
    Refusal count = (file, position, reason) -> refused[0]++;
    Sealer sealer = new Sealer(under.location(), id, key.clone(), count);
    try {
      SealedMedium medium = new SealedMedium(under, sealer);
      for (String directory : List.of("", "log")) {
        for (String name : under.list(directory)) {
          String path = directory.isEmpty() ? name : directory + "/" + name;
          if (!IGNORED.contains(path) && hasSealed(under, path) && medium.opens(path)) {
            return;
          }
        }
      }
    } finally {
      sealer.close();
    }
    if (refused[0] > 0) {
      throw new EncryptionException(
          "The key provider unwrapped "
              + under.location()
              + "/"
              + KeyFile.NAME
              + " to a key that opens none of the files there. Nothing was changed.");
    }
  }

  /** Whether the first block of a file is authentic and not only zeros. */
  private boolean opens(String name) {
    ByteBuffer block = ByteBuffer.allocate(SealedLayout.BLOCK);
    try (MediumFile file = open(name)) {
      file.read(block, 0);
    }
    block.flip();
    while (block.hasRemaining()) {
      if (block.get() != 0) {
        return true;
      }
    }
    return false;
  }

  /** Whether there is a file of this name that is encrypted, with whatever key. */
  public static boolean hasSealed(Medium under, String name) {
    if (!under.exists(name)) {
      return false;
    }
    try (MediumFile file = under.open(name)) {
      return isSealed(file);
    }
  }

  private static boolean isSealed(MediumFile file) {
    ByteBuffer magic = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    file.read(magic, 0);
    return magic.getLong(0) == FileHeader.MAGIC;
  }

  /**
   * Checks that a file is not encrypted.
   *
   * @param medium with the file
   * @param file read as it is
   * @throws EncryptionException if it is; the message says what is missing: the key, or the file of
   *     keys
   */
  public static void requirePlain(Medium medium, MediumFile file) {
    if (isSealed(file)) {
      throw medium.exists(KeyFile.NAME)
          ? new EncryptionException(
              medium.location()
                  + "/"
                  + file.name()
                  + " is encrypted: give its key (encrypt, --key).")
          : keysMissing(medium, file.name());
    }
  }

  /**
   * Checks a directory that has no file of keys: if a file in it is encrypted, the keys were lost.
   *
   * @throws EncryptionException if one is
   */
  public static void requireNoneSealed(Medium under) {
    for (String directory : List.of("", "log")) {
      for (String name : under.list(directory)) {
        String path = directory.isEmpty() ? name : directory + "/" + name;
        if (!IGNORED.contains(path) && hasSealed(under, path)) {
          throw keysMissing(under, path);
        }
      }
    }
    if (EntrySealer.hasCache(under, CACHE)) {
      throw keysMissing(under, CACHE);
    }
  }

  private static EncryptionException keysMissing(Medium medium, String file) {
    return new EncryptionException(
        "The files in "
            + medium.location()
            + " are encrypted ("
            + file
            + "), and the file "
            + KeyFile.NAME
            + " there, which has their data key, is missing: put it back, or restore a backup. If"
            + " it was destroyed, they cannot be read any more.");
  }

  /**
   * Checks that what is encrypted is not copied to where it would not be.
   *
   * @throws EncryptionException if it would
   */
  public static void requireAsSecret(Medium from, Medium to) {
    if (from.encrypted() && !to.encrypted()) {
      throw new EncryptionException(
          "The heap at "
              + from.location()
              + " is encrypted, and the backups in "
              + to.location()
              + " are not: give them a key (Backups.encrypt, --key), in a directory of their own.");
    }
  }

  /**
   * The medium with encryption if there is a provider; if that is not possible, abandons the
   * medium, so that nothing is left of what opening it made.
   */
  public static Medium with(Medium under, @Nullable KeyProvider provider) {
    return with(under, provider, Refusal.THROW);
  }

  /** The same, with another answer to what is not authentic. */
  public static Medium with(Medium under, @Nullable KeyProvider provider, Refusal refusal) {
    try {
      if (provider != null) {
        return open(under, provider, refusal);
      }
      if (under.exists(KeyFile.NAME)) {
        throw new EncryptionException(
            "The files in "
                + under.location()
                + " are encrypted: give their key (encrypt, --key).");
      }
      return under;
    } catch (RuntimeException | Error e) {
      under.abandon();
      throw e;
    }
  }

  @Override
  public String name() {
    return under.name();
  }

  @Override
  public String location() {
    return under.location();
  }

  @Override
  public boolean byteAddressable() {
    return false;
  }

  @Override
  public boolean encrypted() {
    return true;
  }

  @Override
  public byte[] derivedKey(String purpose) {
    return sealer.derivedKey(purpose);
  }

  @Override
  public boolean readOnly() {
    return under.readOnly();
  }

  @Override
  public String incarnation() {
    return incarnation;
  }

  @Override
  public boolean exists(String name) {
    return under.exists(name);
  }

  @Override
  public List<String> list(String directory) {
    return directory.isEmpty()
        ? under.list("").stream().filter(name -> !KeyFile.isKeyFile(name)).toList()
        : under.list(directory);
  }

  @Override
  public MediumFile create(String name) {
    SealedFile file = file(name, under.create(name));
    boolean begun = false;
    try {
      file.begin();
      begun = true;
    } finally {
      if (!begun) {
        file.close();
      }
    }
    return file;
  }

  @Override
  public MediumFile open(String name) {
    return file(name, under.open(name));
  }

  @Override
  public MediumFile openLog(String name, DurableWrite how) {
    return file(name, under.openLog(name, how));
  }

  /** A file by the name that it has here; on the medium below it may have a longer one. */
  private SealedFile file(String name, MediumFile stored) {
    boolean opened = false;
    try {
      FileTurn turn = turns.computeIfAbsent(stored.name(), its -> new FileTurn());
      SealedFile file = new SealedFile(sealer, stored, turn, under.readOnly(), version(name));
      opened = true;
      return file;
    } finally {
      if (!opened) {
        stored.close();
      }
    }
  }

  private int version(String name) {
    return name.startsWith(HOME) ? pageVersion : FileHeader.PLAIN_ENTRIES;
  }

  @Override
  public boolean hasKeyedPages() {
    return pageVersion >= FileHeader.KEYED_ENTRIES;
  }

  @Override
  public void rename(String from, String to) {
    under.rename(from, to);
  }

  @Override
  public void delete(String name) {
    under.delete(name);
  }

  @Override
  public void syncDirectory(String directory) {
    under.syncDirectory(directory);
  }

  @Override
  public DurableWrite probeDurableWrite() {
    return under.probeDurableWrite();
  }

  @Override
  public void requireIntact() {
    under.requireIntact();
  }

  @Override
  public boolean lacksRoom(long bytes) {
    return under.lacksRoom(bytes);
  }

  @Override
  public boolean copiesOnWrite() {
    return under.copiesOnWrite();
  }

  @Override
  public Watch watch(Runnable further, Consumer<Throwable> onFailure) {
    return under.watch(further, onFailure);
  }

  /** The figures of the heap, which are not encrypted: numbers, no keys or values. */
  @Override
  public @Nullable LooseFile loose(String name, ByteBuffer content) {
    return under.loose(name, content);
  }

  @Override
  public void close() {
    try {
      under.close();
    } finally {
      sealer.close();
    }
  }
}
