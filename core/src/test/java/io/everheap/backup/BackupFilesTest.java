package io.everheap.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.BackupException;
import io.everheap.error.MissingException;
import io.everheap.memory.Medium;
import io.everheap.memory.RecordedMedium;
import io.everheap.report.Backup;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A directory of backups: which there are, which belong together, and which are deleted. */
class BackupFilesTest {
  private static final BackupFormat FORMAT = new BackupFormat(0x1122334455667788L, 3, 24, ".b");
  private static final UUID HEAP = new UUID(7, 1);
  private static final UUID OTHER = new UUID(7, 2);

  private final RecordedMedium files = new RecordedMedium();
  private final BackupFiles<BackupHead> backups =
      new BackupFiles<>(
          FORMAT,
          files::open,
          files::open,
          (medium, name) -> new SectionReader(medium, name, FORMAT).summary().head(),
          head -> head);

  private static UUID id(int number) {
    return new UUID((long) number << 32, number);
  }

  /** Adds a backup with a number that was made at a time; {@code base} 0 is none. */
  private void add(UUID origin, int number, int base, long millis) {
    add(origin, number, base, millis, number);
  }

  private void add(UUID origin, int number, int base, long millis, long end) {
    UUID before = base == 0 ? null : id(base);
    Backup.Kind kind = base == 0 ? Backup.Kind.FULL : Backup.Kind.INCREMENTAL;
    Instant time = Instant.ofEpochMilli(millis);
    try (Medium medium = files.open()) {
      backups.add(
          medium,
          id(number),
          before,
          time,
          out -> write(out, kind, origin, number, before, millis, end));
    }
  }

  private static void write(
      SectionWriter out,
      Backup.Kind kind,
      UUID origin,
      int number,
      @Nullable UUID base,
      long millis,
      long end) {
    out.header(kind, origin, id(number), base, millis);
    out.finish(end, 0);
  }

  private static List<Integer> numbers(List<BackupHead> heads) {
    return heads.stream().map(head -> (int) head.id().getLeastSignificantBits()).toList();
  }

  private List<Integer> all() {
    return numbers(backups.list());
  }

  private List<Integer> chain(int number) {
    BackupHead wanted =
        backups.list().stream().filter(b -> b.id().equals(id(number))).findFirst().orElseThrow();
    return numbers(backups.chain(files.open(), wanted));
  }

  @Test
  void aBackupGetsItsNameWhenItIsDurable() {
    add(HEAP, 0x12345678, 0, 0);
    String name = "19700101T000000.000Z-full-12345678.b";
    assertThat(files.changes())
        .containsExactly(
            "delete unfinished.b.new",
            "create unfinished.b.new",
            "write unfinished.b.new 0 136",
            "sync unfinished.b.new",
            "rename unfinished.b.new " + name,
            "syncDirectory ",
            "close");
    assertThat(files.openFiles()).isZero();
    add(HEAP, 0x0abcdef0, 0x12345678, 1_767_225_599_999L);
    assertThat(files.names()).containsExactly(name, "20251231T235959.999Z-incremental-0abcdef0.b");
  }

  @Test
  void aBackupThatFailsLeavesNothing() {
    assertThatThrownBy(
            () ->
                backups.add(
                    files.open(),
                    id(1),
                    null,
                    Instant.EPOCH,
                    out -> {
                      out.header(Backup.Kind.FULL, HEAP, id(1), null, 0);
                      throw new IllegalStateException("made up");
                    }))
        .hasMessage("made up");
    assertThat(files.names()).isEmpty();
    assertThat(files.openFiles()).isZero();
    for (String step : List.of("write", "sync", "rename")) {
      files.fail(step);
      assertThatThrownBy(() -> add(HEAP, 1, 0, 0)).hasMessageContaining("made up");
      files.fail("");
      assertThat(files.names()).as(step).isEmpty();
      assertThat(files.openFiles()).isZero();
    }
  }

  @Test
  void whatACrashLeftIsNotListedAndReplaced() {
    add(HEAP, 1, 0, 0);
    files.put("unfinished.b.new", new byte[1000]);
    assertThat(all()).containsExactly(1);
    add(HEAP, 2, 0, 1);
    assertThat(all()).containsExactly(1, 2);
    assertThat(files.names()).hasSize(2);
  }

  @Test
  void theyAreListedByTheTimesInThemThenByTheirEnds() {
    add(HEAP, 1, 0, 5000);
    add(HEAP, 2, 1, 3000);
    add(HEAP, 3, 1, 4000, 9);
    add(HEAP, 4, 1, 4000, 8);
    add(HEAP, 5, 1, 4000, 10);
    assertThat(all()).containsExactly(2, 4, 3, 5, 1);
    assertThat(numbers(List.of(backups.newest()))).containsExactly(1);
    String name = files.names().getFirst();
    files.put("a copy with another name.b", files.bytes(name));
    files.remove(name);
    assertThat(all()).as("names say nothing").containsExactly(2, 4, 3, 5, 1);
    files.put("notes.txt", new byte[3]);
    files.put("x.backup", new byte[3]);
    assertThat(all()).hasSize(5);
  }

  @Test
  void anEmptyDirectoryHasNoNewestBackup() {
    assertThat(backups.list()).isEmpty();
    assertThatThrownBy(backups::newest)
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("There is no backup in /recorded.");
    assertThat(backups.ofOne("heap")).isEmpty();
    assertThat(backups.keep(1, (medium, kept) -> assertThat(kept).isEmpty())).isEmpty();
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() {
    BackupFiles<BackupHead> missing =
        new BackupFiles<>(
            FORMAT,
            files::open,
            () -> {
              throw MissingException.heap("made up", null);
            },
            (medium, name) -> new SectionReader(medium, name, FORMAT).summary().head(),
            head -> head);
    assertThatThrownBy(missing::list)
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("There are no backups: ");
  }

  @Test
  void theMediumIsClosedAfterEachUse() {
    add(HEAP, 1, 0, 0);
    files.changes();
    assertThat(backups.list()).hasSize(1);
    assertThat(files.changes()).containsExactly("close");
    assertThat(backups.location()).isEqualTo("/recorded");
    assertThat(files.changes()).containsExactly("close");
    assertThatThrownBy(
            () ->
                backups.reading(
                    medium -> {
                      throw new IllegalStateException("made up");
                    }))
        .hasMessage("made up");
    assertThat(files.changes()).containsExactly("close");
    assertThat(backups.<String>writing(Medium::location)).isEqualTo("/recorded");
    assertThat(files.changes()).containsExactly("close");
  }

  @Test
  void aDamagedFileIsAnErrorOrLeftOut() {
    add(HEAP, 1, 0, 0);
    add(HEAP, 2, 1, 1);
    files.put("damaged.b", new byte[300]);
    assertThatThrownBy(backups::list)
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("damaged.b");
    assertThat(numbers(backups.list(files.open(), false))).containsExactly(1, 2);
    assertThatThrownBy(() -> backups.keep(1, (medium, kept) -> {}))
        .isInstanceOf(BackupException.class);
    assertThat(files.names()).as("nothing is deleted").hasSize(3);
  }

  @Test
  void aChainEndsWithTheFullBackup() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 1, 200);
    add(HEAP, 3, 2, 300);
    add(HEAP, 4, 2, 400);
    add(HEAP, 5, 0, 500);
    add(HEAP, 6, 5, 600);
    assertThat(chain(1)).containsExactly(1);
    assertThat(chain(2)).containsExactly(1, 2);
    assertThat(chain(3)).containsExactly(1, 2, 3);
    assertThat(chain(4)).containsExactly(1, 2, 4);
    assertThat(chain(5)).containsExactly(5);
    assertThat(chain(6)).containsExactly(5, 6);
  }

  @Test
  void aChainIsFoundInAnyOrderOfTimes() {
    add(HEAP, 1, 0, 900);
    add(HEAP, 2, 1, 100);
    add(HEAP, 3, 2, 500);
    assertThat(chain(3)).containsExactly(1, 2, 3);
  }

  @Test
  void aRepeatedFileCountsOnce() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 1, 200);
    for (String name : files.names()) {
      files.put("copy of " + name, files.bytes(name));
    }
    assertThat(chain(2)).containsExactly(1, 2);
  }

  @Test
  void aMissingLinkIsNamed() {
    for (int missing = 1; missing <= 3; missing++) {
      files.names().forEach(files::remove);
      add(HEAP, 1, 0, 100);
      add(HEAP, 2, 1, 200);
      add(HEAP, 3, 2, 300);
      BackupHead last = backups.newest();
      String link = numbered(missing);
      byte[] bytes = files.bytes(link);
      files.remove(link);
      int number = missing;
      assertThatThrownBy(() -> backups.chain(files.open(), last))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("The backup " + id(number) + ", which " + last.name() + " needs")
          .hasMessageContaining("/recorded, or its file is damaged");
      bytes[bytes.length - 1]++;
      files.put(link, bytes);
      assertThatThrownBy(() -> backups.chain(files.open(), last))
          .isInstanceOf(BackupException.class)
          .hasMessageContaining("The backup " + id(number));
    }
  }

  private String numbered(int number) {
    return files.names().stream()
        .filter(name -> name.endsWith(String.format(Locale.ROOT, "-%08x.b", number)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aLinkOfAnotherHeapDoesNotCount() {
    add(OTHER, 1, 0, 100);
    add(HEAP, 2, 1, 200);
    BackupHead last = backups.newest();
    assertThatThrownBy(() -> backups.chain(files.open(), last))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("The backup " + id(1));
    String name = numbered(1);
    byte[] foreign = files.bytes(name);
    add(HEAP, 1, 0, 100);
    files.put("foreign.b", foreign);
    files.put("0.b", foreign);
    assertThat(numbers(backups.chain(files.open(), last))).containsExactly(1, 2);
    assertThat(backups.chain(files.open(), last))
        .allSatisfy(link -> assertThat(link.origin()).isEqualTo(HEAP));
  }

  @Test
  void aCircleIsRefused() {
    add(HEAP, 1, 1, 100);
    assertThatThrownBy(() -> chain(1))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("are a circle");
    add(HEAP, 2, 3, 200);
    add(HEAP, 3, 2, 300);
    add(HEAP, 4, 3, 400);
    assertThatThrownBy(() -> chain(4))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("The backups that " + backups.newest().name() + " continues");
  }

  @Test
  void backupsOfSeveralOriginsAreTold() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 0, 200);
    assertThat(numbers(backups.ofOne("heap"))).containsExactly(1, 2);
    add(OTHER, 3, 0, 300);
    assertThatThrownBy(() -> backups.ofOne("heap"))
        .isInstanceOf(BackupException.class)
        .hasMessageContaining("There are backups of several heaps in /recorded");
  }

  @Test
  void theNewestFullBackupsAndWhatContinuesThemAreKept() {
    record Case(int full, List<Integer> deleted) {}
    for (Case c :
        List.of(
            new Case(1, List.of(1, 2, 3, 4, 5, 7)),
            new Case(2, List.of(1, 2, 3)),
            new Case(3, List.of()),
            new Case(4, List.of()),
            new Case(Integer.MAX_VALUE, List.of()))) {
      files.names().forEach(files::remove);
      add(HEAP, 1, 0, 100);
      add(HEAP, 2, 1, 200);
      add(HEAP, 3, 2, 300);
      add(HEAP, 4, 0, 400);
      add(HEAP, 5, 4, 500);
      add(HEAP, 6, 0, 600);
      add(HEAP, 7, 5, 700); // continues an older one
      add(HEAP, 8, 6, 800);
      add(HEAP, 9, 8, 900);
      List<Integer> left = new ArrayList<>();
      List<BackupHead> deleted =
          backups.keep(c.full(), (medium, kept) -> left.addAll(numbers(kept)));
      assertThat(numbers(deleted)).as("keep %s", c.full()).isEqualTo(c.deleted());
      assertThat(left).isEqualTo(all()).hasSize(9 - c.deleted().size());
      assertThat(left.stream().filter(c.deleted()::contains)).isEmpty();
    }
  }

  @Test
  void eachOriginKeepsItsOwn() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 0, 200);
    add(OTHER, 3, 0, 10);
    add(OTHER, 4, 3, 20);
    add(OTHER, 5, 0, 30);
    assertThat(numbers(backups.keep(1, (medium, kept) -> {}))).containsExactly(3, 4, 1);
    assertThat(all()).containsExactly(5, 2);
  }

  @Test
  void linksAreKeptWhateverTheClockSays() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 0, 900);
    add(HEAP, 3, 2, 800); // a clock was set back
    add(HEAP, 4, 3, 50);
    assertThat(numbers(backups.keep(1, (medium, kept) -> {}))).containsExactly(1);
    assertThat(all()).containsExactly(4, 3, 2);
  }

  @Test
  void whatHasNoFullBackupIsDeleted() {
    add(HEAP, 2, 1, 200);
    add(HEAP, 3, 0, 300);
    add(HEAP, 4, 9, 400);
    assertThat(numbers(backups.keep(5, (medium, kept) -> {}))).containsExactly(2, 4);
    assertThat(all()).containsExactly(3);
  }

  /** So a chain never loses a link from its middle, whenever this is interrupted. */
  @Test
  void theLastLinkIsDeletedFirst() {
    add(HEAP, 1, 0, 100);
    add(HEAP, 2, 1, 200);
    add(HEAP, 3, 2, 300);
    add(HEAP, 4, 0, 400);
    List<String> names = List.of(numbered(3), numbered(2), numbered(1));
    files.put("other", new byte[1]);
    files.changes();
    List<String> order = new ArrayList<>();
    assertThat(backups.keep(1, (medium, kept) -> order.addAll(files.changes()))).hasSize(3);
    assertThat(order)
        .containsExactly(
            "delete " + names.get(0),
            "delete " + names.get(1),
            "delete " + names.get(2),
            "syncDirectory ");
    assertThat(files.names()).contains("other");
  }

  @Test
  void atLeastOneIsKept() {
    add(HEAP, 1, 0, 100);
    for (int full : new int[] {0, -1, Integer.MIN_VALUE}) {
      assertThatThrownBy(() -> backups.keep(full, (medium, kept) -> {}))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least one full backup is kept, not " + full);
    }
    assertThat(all()).containsExactly(1);
  }

  @Test
  void backupsAreOutsideOfWhatIsBackedUp() {
    BackupFiles.requireOutside("heap", "/data/heap", Path.of("/data/heap2"));
    BackupFiles.requireOutside("heap", "/data/heap", Path.of("/data"));
    BackupFiles.requireOutside("heap", "/data/heap", Path.of("/data/heap/../backups"));
    for (String path : List.of("/data/heap", "/data/heap/b", "/data/x/../heap/b")) {
      assertThatThrownBy(() -> BackupFiles.requireOutside("heap", "/data/heap", Path.of(path)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("would be lost together with the heap at /data/heap");
    }
    assertThatThrownBy(
            () -> BackupFiles.requireOutside("heap", "/data/./x/../heap/", Path.of("/data/heap/b")))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aBackupIsLaterThanAllOthersWhateverTheClockSays() {
    long[] clock = {5_000};
    var timed =
        new BackupFiles<BackupHead>(
            FORMAT,
            files::open,
            files::open,
            (medium, name) -> new SectionReader(medium, name, FORMAT).summary().head(),
            head -> head,
            () -> clock[0]);
    try (Medium medium = files.open()) {
      assertThat(timed.time(medium)).isEqualTo(Instant.ofEpochMilli(5_000));
    }
    add(HEAP, 1, 0, 5_000);
    add(OTHER, 2, 0, 7_000);
    for (long now : new long[] {-1, 4_000, 6_999, 7_000}) {
      clock[0] = now;
      try (Medium medium = files.open()) {
        assertThat(timed.time(medium)).isEqualTo(Instant.ofEpochMilli(7_001));
      }
    }
    clock[0] = 7_002;
    try (Medium medium = files.open()) {
      assertThat(timed.time(medium)).isEqualTo(Instant.ofEpochMilli(7_002));
    }
  }
}
