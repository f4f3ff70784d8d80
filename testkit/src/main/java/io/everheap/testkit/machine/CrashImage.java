package io.everheap.testkit.machine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The frozen state of a simulated machine at one moment, with everything that a power loss at that
 * moment may take back. Immutable; any thread may use it.
 */
public final class CrashImage {
  private final boolean byteAddressable;
  private final long seed;
  private final int powerLosses;
  private final int nextId;
  private final Directory directory;
  private final List<FileImage> files;
  private final @Nullable HomeWatch watch;
  private final @Nullable HomeHistory homes;
  private @Nullable List<Choice> choices;

  CrashImage(
      boolean byteAddressable,
      long seed,
      int powerLosses,
      int nextId,
      Directory directory,
      List<FileImage> files,
      @Nullable HomeWatch watch,
      @Nullable HomeHistory homes) {
    this.byteAddressable = byteAddressable;
    this.seed = seed;
    this.powerLosses = powerLosses;
    this.nextId = nextId;
    this.directory = directory;
    this.files = files;
    this.watch = watch;
    this.homes = homes;
  }

  /**
   * Returns what is not durable.
   *
   * @return the units that have several versions, in the order of their indexes
   */
  public List<Chooser.Unit> units() {
    return choices().stream().map(Choice::unit).toList();
  }

  /**
   * Kills the process at this moment.
   *
   * @return the medium as the next process finds it: what is not durable still is not
   */
  public SimulatedMedium processKill() {
    return new SimulatedMedium(this, false);
  }

  /**
   * Returns the medium as another process finds it that only reads.
   *
   * @return a medium that refuses every change
   */
  public SimulatedMedium readOnly() {
    return new SimulatedMedium(this, true);
  }

  /**
   * Cuts the power of the machine at this moment.
   *
   * @param chooser which version survives of each unit
   * @return the medium as the next process finds it, everything in it durable, with another {@link
   *     SimulatedMedium#incarnation}
   */
  public SimulatedMedium powerLoss(Chooser chooser) {
    return afterPowerLoss(chooser).processKill();
  }

  /** What a power loss at this moment leaves behind. */
  public CrashImage afterPowerLoss(Chooser chooser) {
    Map<Integer, FileAfter> after = new HashMap<>();
    files.forEach(file -> after.put(file.id(), new FileAfter(file)));
    List<Directory.Change> survived = new ArrayList<>();
    for (Choice choice : choices()) {
      int version = chooser.choose(choice.unit);
      if (version < choice.unit.versions() - 1) {
        choice.change(after, version);
      } else if (choice instanceof EntryChoice entry) {
        survived.add(entry.change);
      }
    }
    List<FileImage> images = new ArrayList<>();
    files.forEach(file -> images.add(Objects.requireNonNull(after.get(file.id())).image()));
    return new CrashImage(
        byteAddressable,
        seed,
        powerLosses + 1,
        nextId,
        directory.after(survived),
        images,
        watch,
        homes);
  }

  /** A 64-bit hash of everything that a process or a later power loss could find. */
  public long hash() {
    var hash = new Hash();
    hash.add(powerLosses);
    directory.addTo(hash);
    for (FileImage file : files) {
      if (directory.mayHold(file.id())) {
        file.addTo(hash);
      }
    }
    return hash.value();
  }

  boolean byteAddressable() {
    return byteAddressable;
  }

  long seed() {
    return seed;
  }

  int powerLosses() {
    return powerLosses;
  }

  int nextId() {
    return nextId;
  }

  Directory directory() {
    return directory;
  }

  List<FileImage> files() {
    return files;
  }

  /** The comparison of home images; null if there is none. */
  @Nullable HomeWatch watch() {
    return watch;
  }

  /**
   * The history of the home image, to which later commits are added; null if it is not compared.
   */
  @Nullable HomeHistory homes() {
    return homes;
  }

  private synchronized List<Choice> choices() {
    List<Choice> known = choices;
    if (known == null) {
      known = new ArrayList<>();
      for (Directory.Change change : directory.pending()) {
        known.add(new EntryChoice(unit(known, 2, 0, change.toString()), change));
      }
      for (FileImage file : files) {
        addLengths(file, known);
        addBytes(file, file.written(), known);
        if (file.mapped() != file.written()) {
          addBytes(file, file.mapped(), known);
        }
      }
      choices = known;
    }
    return known;
  }

  private static void addLengths(FileImage file, List<Choice> known) {
    List<Long> versions =
        file.earlierLengths().stream().filter(l -> l != file.length()).distinct().toList();
    if (!versions.isEmpty()) {
      var unit = unit(known, versions.size() + 1, 0, "length of " + file.name());
      known.add(new LengthChoice(unit, file.id(), versions));
    }
  }

  private static void addBytes(FileImage file, Undurable tracker, List<Choice> known) {
    tracker.forEach(
        (at, earlier, changed) -> {
          byte[] newest = file.bytes(at, tracker.unit());
          List<byte[]> versions = distinct(earlier, newest);
          if (!versions.isEmpty()) {
            String name =
                String.format(Locale.ROOT, "%s at %d, %d bytes", file.name(), at, tracker.unit());
            var unit = unit(known, versions.size() + 1, changed, name);
            known.add(new BytesChoice(unit, file.id(), at, versions));
          }
        });
  }

  /** The durable version stays first, unless it equals the newest one. */
  private static List<byte[]> distinct(List<byte[]> earlier, byte[] newest) {
    List<byte[]> versions = new ArrayList<>();
    for (byte[] version : earlier) {
      if (!Arrays.equals(version, newest)
          && versions.stream().noneMatch(other -> Arrays.equals(other, version))) {
        versions.add(version);
      }
    }
    return versions;
  }

  private static Chooser.Unit unit(List<Choice> known, int versions, long changed, String name) {
    return new Chooser.Unit(known.size(), versions, changed, name);
  }

  /** A unit and how to give it one of its earlier versions. */
  private abstract static class Choice {
    final Chooser.Unit unit;

    Choice(Chooser.Unit unit) {
      this.unit = unit;
    }

    final Chooser.Unit unit() {
      return unit;
    }

    abstract void change(Map<Integer, FileAfter> files, int version);
  }

  private static final class EntryChoice extends Choice {
    final Directory.Change change;

    EntryChoice(Chooser.Unit unit, Directory.Change change) {
      super(unit);
      this.change = change;
    }

    @Override
    void change(Map<Integer, FileAfter> files, int version) {
      // The change of names did not happen.
    }
  }

  private static final class LengthChoice extends Choice {
    private final int file;
    private final List<Long> versions;

    LengthChoice(Chooser.Unit unit, int file, List<Long> versions) {
      super(unit);
      this.file = file;
      this.versions = versions;
    }

    @Override
    void change(Map<Integer, FileAfter> files, int version) {
      FileAfter after = files.get(file);
      if (after != null) {
        after.length = versions.get(version);
      }
    }
  }

  private static final class BytesChoice extends Choice {
    private final int file;
    private final long position;
    private final List<byte[]> versions;

    BytesChoice(Chooser.Unit unit, int file, long position, List<byte[]> versions) {
      super(unit);
      this.file = file;
      this.position = position;
      this.versions = versions;
    }

    @Override
    void change(Map<Integer, FileAfter> files, int version) {
      FileAfter after = files.get(file);
      if (after != null) {
        after.put(position, versions.get(version));
      }
    }
  }

  /** A file that gets its bytes and length back from the disk. */
  private static final class FileAfter {
    private final FileImage before;
    private final List<byte @Nullable []> pages;
    private final Map<Integer, byte[]> own = new HashMap<>();
    private long length;

    FileAfter(FileImage before) {
      this.before = before;
      this.pages = new ArrayList<>(before.pages());
      this.length = before.length();
    }

    void put(long position, byte[] bytes) {
      int index = Math.toIntExact(position / Page.SIZE);
      byte[] page = own.computeIfAbsent(index, i -> before.bytes((long) i * Page.SIZE, Page.SIZE));
      System.arraycopy(bytes, 0, page, (int) (position % Page.SIZE), bytes.length);
      while (pages.size() <= index) {
        pages.add(null);
      }
      pages.set(index, page);
    }

    FileImage image() {
      int last = Math.toIntExact(length / Page.SIZE);
      int rest = (int) (length % Page.SIZE);
      byte[] page = last < pages.size() ? pages.get(last) : null;
      if (page != null && rest > 0) {
        byte[] cut = page.clone();
        Arrays.fill(cut, rest, cut.length, (byte) 0);
        pages.set(last, cut);
        last++;
      }
      while (pages.size() > last && pages.size() > 0) {
        pages.removeLast();
      }
      Undurable written = before.written().empty();
      Undurable mapped = before.mapped() == before.written() ? written : before.mapped().empty();
      return new FileImage(
          before.id(), before.name(), pages, length, List.of(), false, written, mapped);
    }
  }
}
