package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.CorruptException;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A table of 2,000 pages, and somebody who can change each of its files. */
class WindowSealsTest {
  private static final int ALL = 2000;

  private final SealedTables tables = new SealedTables();
  private final Medium medium = tables.medium;
  private ChecksumTable table = new ChecksumTable(medium.create(ChecksumLayout.NAME));

  private WindowSeals seals() {
    return Objects.requireNonNull(table.seals());
  }

  private void create() {
    table.keep(WindowSeals.create(medium, table.file()));
    table.clear(0, ALL);
  }

  private void put(long page, long entry) {
    table.begin();
    table.put(page, entry);
    table.flush();
  }

  private void announce(long reach, long... pages) {
    seals().announce(pages, 0, pages.length, reach, MediumFile::sync);
  }

  private boolean prepare(long lsn, long pages) {
    return seals().prepare(lsn, pages, MediumFile::sync);
  }

  private void checkpoint(long lsn, long pages) {
    prepare(lsn, pages);
    seals().writeRoot();
    seals().complete();
  }

  private void reopen(long lsn, long pages, boolean writing) {
    table.close();
    table = new ChecksumTable(medium.open(ChecksumLayout.NAME));
    table.keep(WindowSeals.open(medium, table.file(), lsn, pages, ALL, writing));
  }

  private Map<String, byte[]> files() {
    Map<String, byte[]> files = new TreeMap<>();
    for (String name : new String[] {ChecksumLayout.NAME, PageRoot.NAME, Rounds.NAME}) {
      try (MediumFile file = medium.open(name)) {
        byte[] bytes = new byte[(int) file.size()];
        file.read(ByteBuffer.wrap(bytes), 0);
        files.put(name, bytes);
      }
    }
    return files;
  }

  private void put(String name, byte[] bytes) {
    try (MediumFile file = medium.open(name)) {
      file.truncate(0);
      file.write(ByteBuffer.wrap(bytes), 0);
    }
  }

  private void change(long page, long entry) {
    ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, entry);
    try (MediumFile file = medium.open(ChecksumLayout.NAME)) {
      file.write(word, ChecksumLayout.position(page));
    }
  }

  private void refused(String message, Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOf(CorruptException.class)
        .hasMessageContaining(message);
  }

  @Test
  void entriesAreReadAgain() {
    create();
    announce(10, 2, 700);
    put(2, 11);
    put(700, 13);
    checkpoint(100, ALL);
    reopen(100, ALL, false);
    assertThat(table.lookUp(2)).isEqualTo(11);
    assertThat(table.entry(700)).isEqualTo(13);
    assertThat(table.entry(1999)).isZero();
    assertThat(seals().isStored()).isTrue();
    assertThat(seals().reach()).isZero();
  }

  @Test
  void anEntryThatWasPutBackIsRefusedWhenItIsRead() {
    create();
    announce(10, 2, 700);
    put(2, 11);
    put(700, 13);
    checkpoint(100, ALL);
    change(700, 12);
    reopen(100, ALL, false);
    assertThat(table.lookUp(2)).as("of another window").isEqualTo(11);
    refused("of another moment", () -> table.lookUp(700));
    refused("at byte 4096", () -> table.entry(512));
    assertThat(seals().lookUp(1)).isNull();
    assertThat(seals().lookUp(0)).isNotNull();
  }

  /** The reach has a place among the entries, and changes with each round. */
  @Test
  void theFirstTwoPlacesDoNotCount() {
    create();
    checkpoint(100, ALL);
    change(0, 77);
    change(1, 78);
    reopen(100, ALL, false);
    assertThat(table.lookUp(2)).isZero();
    change(2, 1);
    reopen(100, ALL, false);
    refused("another moment", () -> table.lookUp(2));
  }

  @Test
  void anEntryThatWasPutBackWhileTheHeapIsOpenIsRefused() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    reopen(100, ALL, false);
    change(700, 12);
    refused("another moment", () -> table.lookUp(700));
  }

  @Test
  void allEntriesOfAnEarlierCheckpointAreRefused() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    Map<String, byte[]> old = files();
    announce(150, 700);
    put(700, 14);
    checkpoint(200, ALL);
    put(ChecksumLayout.NAME, old.get(ChecksumLayout.NAME));
    reopen(200, ALL, false);
    refused("another moment", () -> table.lookUp(700));
    put(PageRoot.NAME, old.get(PageRoot.NAME));
    refused("heap.root has no root of the checkpoint at LSN 200", () -> reopen(200, ALL, false));
    reopen(100, ALL, false); // as the superblock of that time says
    assertThat(table.lookUp(700)).isEqualTo(13);
  }

  /** Seals of one moment with the root of another one. */
  @Test
  void sealsMustBeThoseOfTheRoot() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    byte[] root = files().get(PageRoot.NAME);
    announce(150, 700);
    put(700, 14);
    checkpoint(200, ALL);
    byte[] mixed = files().get(PageRoot.NAME);
    System.arraycopy(root, 8192, mixed, 8192, root.length - 8192);
    put(PageRoot.NAME, mixed);
    refused("heap.root has seals of another moment", () -> reopen(200, ALL, false));
  }

  @Test
  void missingFilesAreRefused() {
    create();
    checkpoint(100, ALL);
    medium.delete(Rounds.NAME);
    refused("heap.round is missing", () -> reopen(100, ALL, false));
  }

  /** A crash in a round: each of its entries may be old or new; all others are as they were. */
  @Test
  void aRoundLeavesItsOwnPagesOpen() {
    create();
    put(700, 13);
    put(701, 21);
    put(1500, 31);
    checkpoint(100, ALL);
    announce(150, 700);
    for (long entry : new long[] {13, 14}) {
      change(700, entry);
      reopen(100, ALL, true);
      assertThat(table.lookUp(700)).isEqualTo(entry);
      assertThat(table.lookUp(701)).isEqualTo(21);
      assertThat(seals().reach()).isEqualTo(150);
      assertThat(seals().isAnnounced(700)).isTrue();
      assertThat(seals().isAnnounced(701)).isFalse();
    }
    change(701, 20);
    refused("at byte 4096", () -> reopen(100, ALL, true));
    change(701, 21);
    change(1500, 30);
    reopen(100, ALL, true);
    refused("at byte 8192", () -> table.lookUp(1500));
  }

  @Test
  void withoutARoundNothingMayHaveChanged() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    announce(150, 700);
    change(700, 14);
    reopen(100, ALL, false); // as a superblock from before the round says
    refused("another moment", () -> table.lookUp(700));
  }

  @Test
  void aRoundOfAnotherCheckpointIsRefused() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    announce(150, 700);
    byte[] round = files().get(Rounds.NAME);
    put(700, 14);
    checkpoint(200, ALL);
    announce(250, 701);
    put(Rounds.NAME, round);
    refused("heap.round does not say", () -> reopen(200, ALL, true));
  }

  /** Two rounds, of which the second continues the first one, in this process and in the next. */
  @Test
  void roundsAddUp() {
    create();
    put(700, 13);
    put(702, 23);
    checkpoint(100, ALL);
    announce(150, 700);
    put(700, 14);
    byte[] first = files().get(Rounds.NAME);
    announce(160, 700, 702);
    put(702, 24);
    reopen(100, ALL, true);
    assertThat(seals().reach()).isEqualTo(160);
    announce(170, 900);
    put(900, 1);
    reopen(100, ALL, true);
    assertThat(seals().isAnnounced(700)).isTrue();
    assertThat(seals().isAnnounced(702)).isTrue();
    assertThat(seals().isAnnounced(900)).isTrue();
    assertThat(table.lookUp(700)).isEqualTo(14);
    assertThat(table.lookUp(702)).isEqualTo(24);
    put(Rounds.NAME, first);
    refused("another moment", () -> reopen(100, ALL, true));
  }

  /**
   * A checkpoint of many rounds takes no more space than growth has taken, in this process and in
   * the next ones. A part that a crash tears leaves what the parts before it announced.
   */
  @Test
  void manyRoundsTakeNoMoreSpace() {
    create();
    checkpoint(100, ALL);
    int space = files().get(Rounds.NAME).length;
    assertThat(space).as("taken by growth").isBetween(1 << 16, 1 << 18);
    for (int i = 1; i <= 100; i++) {
      byte[] before = files().get(Rounds.NAME);
      announce(100 + i, pageOf(i));
      byte[] after = files().get(Rounds.NAME);
      assertThat(after).hasSize(space);
      put(Rounds.NAME, torn(before, after));
      boolean writing = i > 1;
      assertThatCode(() -> reopen(100, ALL, writing)).as("round %d", i).doesNotThrowAnyException();
      assertAnnounced(i - 1);
      put(Rounds.NAME, after);
      reopen(100, ALL, true);
      assertAnnounced(i);
      put(pageOf(i), i);
    }
    checkpoint(300, ALL);
    reopen(300, ALL, false);
    assertThat(table.lookUp(pageOf(100))).isEqualTo(100);
  }

  /** A part of which each attempt but the last fails keeps all parts before it. */
  @Test
  void aPartThatCouldNotBeSyncedIsWrittenAgain() {
    create();
    checkpoint(100, ALL);
    for (int i = 1; i <= 60; i++) {
      long[] pages = {pageOf(i)};
      int reach = 100 + i;
      assertThatThrownBy(
              () ->
                  seals()
                      .announce(
                          pages,
                          0,
                          1,
                          reach,
                          file -> {
                            throw new IllegalStateException("no sync");
                          }))
          .hasMessage("no sync");
      announce(reach, pages);
      put(pageOf(i), i);
    }
    reopen(100, ALL, true);
    assertAnnounced(60);
  }

  private static long pageOf(int round) {
    return 2 + round * 17L;
  }

  private void assertAnnounced(int rounds) {
    for (int i = 1; i <= 100; i++) {
      assertThat(seals().isAnnounced(pageOf(i))).as("round %d", i).isEqualTo(i <= rounds);
    }
    assertThat(seals().reach()).isEqualTo(rounds == 0 ? 0 : 100 + rounds);
  }

  /** The first half of the bytes that a write changed. */
  private static byte[] torn(byte[] before, byte[] after) {
    byte[] torn = before.clone();
    int from = Arrays.mismatch(before, after);
    System.arraycopy(after, from, torn, from, 48);
    return torn;
  }

  /** Announcing what was announced needs no write, unless the log must reach further. */
  @Test
  void whatWasAnnouncedIsNotWrittenAgain() {
    create();
    checkpoint(100, ALL);
    announce(150, 700);
    byte[] round = files().get(Rounds.NAME);
    announce(150, 700);
    assertThat(files().get(Rounds.NAME)).isEqualTo(round);
    announce(151, 700);
    assertThat(files().get(Rounds.NAME)).isNotEqualTo(round);
    reopen(100, ALL, true);
    assertThat(seals().reach()).isEqualTo(151);
  }

  /** The next checkpoint has begun to write its root, and then the machine stops. */
  @Test
  void theRootOfAnUnfinishedCheckpointDoesNotCount() {
    create();
    put(700, 13);
    put(1500, 31);
    checkpoint(100, ALL);
    announce(150, 700);
    put(700, 14);
    prepare(200, ALL);
    seals().writeRoot();
    reopen(100, ALL, true);
    assertThat(table.lookUp(700)).isEqualTo(14);
    assertThat(table.lookUp(1500)).isEqualTo(31);
    checkpoint(210, ALL);
    reopen(210, ALL, false);
    assertThat(table.lookUp(700)).isEqualTo(14);
  }

  /** A checkpoint that fails before its superblock leaves the rounds of the last one. */
  @Test
  void aFailedCheckpointIsRepeated() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    announce(150, 700);
    put(700, 14);
    prepare(200, ALL);
    seals().writeRoot();
    announce(160, 800);
    put(800, 3);
    Map<String, byte[]> crashed = files();
    reopen(100, ALL, true);
    assertThat(table.lookUp(800)).isEqualTo(3);
    crashed.forEach(this::put);
    checkpoint(220, ALL);
    reopen(220, ALL, false);
    assertThat(table.lookUp(700)).isEqualTo(14);
    assertThat(table.lookUp(800)).isEqualTo(3);
  }

  /** Entries behind the end are those of an image that was larger. */
  @Test
  void theEndOfTheImageMayBeInAWindow() {
    create();
    put(700, 13);
    put(900, 5);
    checkpoint(100, 800);
    reopen(100, 800, false);
    assertThat(table.lookUp(700)).isEqualTo(13);
    assertThat(table.lookUp(900)).isEqualTo(5);
    change(900, 6); // was never covered by a root
    reopen(100, 800, false);
    assertThat(table.lookUp(900)).isEqualTo(6);
    change(799, 1);
    refused("at byte 4096", () -> reopen(100, 800, false));
  }

  /** A larger image makes entries count that no round announced. */
  @Test
  void entriesThatCountAgainAreAnnounced() {
    create();
    put(700, 13);
    put(900, 5);
    checkpoint(100, 800);
    assertThat(prepare(200, 1000)).as("something to announce").isTrue();
    seals().writeRoot();
    reopen(100, 800, true);
    assertThat(table.lookUp(700)).isEqualTo(13);
    checkpoint(300, 1000);
    reopen(300, 1000, false);
    assertThat(table.lookUp(900)).isEqualTo(5);
    assertThat(prepare(400, 1000)).as("nothing changed").isFalse();
  }

  @Test
  void theTableGrowsAndShrinks() {
    create();
    put(600, 1);
    put(800, 7);
    put(1999, 2);
    checkpoint(100, ALL);
    assertThat(prepare(200, 700)).isTrue();
    seals().writeRoot();
    seals().complete();
    table.truncate(700);
    assertThat(table.lookUp(600)).isEqualTo(1);
    assertThat(table.lookUp(1999)).isZero();
    table.clear(700, 1800);
    assertThat(table.lookUp(600)).isEqualTo(1);
    announce(250, 1700);
    put(1700, 9);
    checkpoint(300, 1800);
    reopen(300, 1800, false);
    assertThat(table.lookUp(600)).isEqualTo(1);
    assertThat(table.lookUp(1700)).isEqualTo(9);
    assertThat(table.lookUp(1999)).isZero();
  }

  @Test
  void clearedEntriesAreZero() {
    create();
    put(600, 1);
    put(601, 2);
    put(1100, 3);
    put(1300, 4);
    table.clear(601, 1200);
    assertThat(table.lookUp(600)).isEqualTo(1);
    assertThat(table.lookUp(601)).isZero();
    assertThat(table.lookUp(1100)).isZero();
    assertThat(table.lookUp(1300)).isEqualTo(4);
  }

  @Test
  void rootsOfOneCheckpointAreCounted() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    announce(100, 700);
    put(700, 14);
    checkpoint(100, ALL);
    reopen(100, ALL, false);
    assertThat(table.lookUp(700)).isEqualTo(14);
  }

  @Test
  void theStateTellsOneMomentFromAnother() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    PageState first = seals().state();
    reopen(100, ALL, false);
    assertThat(seals().state()).isEqualTo(first);
    announce(150, 700);
    put(700, 14);
    checkpoint(100, ALL);
    assertThat(seals().state().contradicts(first)).isTrue();
    assertThat(first.contradicts(first)).isFalse();
    assertThat(new PageState(99, first.digest()).contradicts(first)).isFalse();
    assertThat(first.contradicts(new PageState(100, ""))).isFalse();
    assertThat(first.contradicts(new PageState(100, "0123456789abcdef" + "0".repeat(32))))
        .as("with another data key")
        .isFalse();
  }

  /** A write that failed: what is there counts. */
  @Test
  void aFailedWriteIsReadAgain() {
    create();
    put(700, 13);
    checkpoint(100, ALL);
    announce(150, 700);
    tables.fail(true);
    assertThatThrownBy(() -> put(700, 14)).isInstanceOf(RuntimeException.class);
    tables.fail(false);
    change(700, 14);
    assertThat(table.lookUp(700)).isEqualTo(14);
    checkpoint(200, ALL);
    reopen(200, ALL, false);
    assertThat(table.lookUp(700)).isEqualTo(14);
  }

  /** The machine stops after the root of a smaller image was written, before its superblock. */
  @Test
  void theSealsOfALargerImageStayUntilItsSuccessorCounts() {
    create();
    put(600, 1);
    put(1999, 2);
    checkpoint(100, ALL);
    announce(150, 2);
    put(2, 9);
    prepare(200, 700);
    seals().writeRoot();
    reopen(100, ALL, true);
    assertThat(table.lookUp(1999)).isEqualTo(2);
    checkpoint(200, 512);
    reopen(200, 512, false);
    assertThat(table.lookUp(2)).isEqualTo(9);
  }

  /** The superblock that must say so failed: the repeated checkpoint asks for it again. */
  @Test
  void whatWasAnnouncedLateIsSaidAgain() {
    create();
    put(900, 5);
    checkpoint(100, 800);
    assertThat(prepare(200, 1000)).isTrue();
    assertThat(prepare(200, 1000)).isTrue();
    seals().writeRoot();
    seals().complete();
    assertThat(prepare(300, 1000)).isFalse();
  }

  /** A cut of which only the home image was made durable leaves entries behind the end. */
  @Test
  void entriesThatACutLeftAreClearedByGrowth() {
    create();
    put(600, 1);
    put(1999, 2);
    checkpoint(100, 512);
    table.close();
    table = new ChecksumTable(medium.open(ChecksumLayout.NAME));
    table.keep(WindowSeals.open(medium, table.file(), 100, 512, 512, false));
    table.clear(512, 1900);
    assertThat(table.lookUp(600)).isZero();
    table.clear(1900, ALL);
    assertThat(table.lookUp(1999)).isZero();
    checkpoint(200, ALL);
    reopen(200, ALL, false);
    assertThat(table.lookUp(1999)).isZero();
  }

  /** After a write that failed the next one succeeds; then what is there counts no longer. */
  @Test
  void aWriteThatIsRepeatedIsCertain() {
    create();
    put(700, 13);
    put(701, 20);
    checkpoint(100, ALL);
    announce(150, 700);
    tables.fail(true);
    assertThatThrownBy(() -> put(700, 14)).isInstanceOf(RuntimeException.class);
    tables.fail(false);
    put(700, 14);
    assertThat(table.lookUp(700)).isEqualTo(14);
    checkpoint(200, ALL);
    change(701, 19);
    reopen(200, ALL, false);
    refused("another moment", () -> table.lookUp(700));
  }

  /** In a copy of an open heap the superblock may be older than the round. */
  @Test
  void aRoundTellsHowFarTheLogMustReachAlsoWithoutItsSuperblock() {
    create();
    checkpoint(100, ALL);
    announce(150, 700);
    reopen(100, ALL, false);
    assertThat(seals().reach()).isEqualTo(150);
    checkpoint(200, ALL);
    reopen(200, ALL, false);
    assertThat(seals().reach()).isZero();
  }

  /** Checkpoints need no more space than growth has taken. */
  @Test
  void aRoundOfAllPagesFitsIntoTheSpaceThatIsTaken() {
    create();
    checkpoint(100, ALL);
    Map<String, byte[]> before = files();
    for (int round = 0; round < 3; round++) {
      long[] all = LongStream.range(2, ALL).toArray();
      announce(150 + round, all);
    }
    checkpoint(200, ALL);
    files().forEach((name, bytes) -> assertThat(bytes).as(name).hasSameSizeAs(before.get(name)));
  }
}
