package io.everheap.engine.home;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import io.everheap.memory.MediumFile;
import io.everheap.memory.Region;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A home image of several extents that outgrows its memory, of one extent. */
class PagedHomeTest {
  private static final int SHIFT = HomeLayout.MIN_EXTENT_SHIFT;
  private static final long EXTENT = 1L << SHIFT;

  @TempDir Path temp;

  private Medium medium;
  private MediumFile file;
  private Home home;

  @BeforeEach
  void open() {
    medium = FileMedium.open(temp.resolve("heap"), false, true);
    file = medium.create("home");
    home = new Home(medium, file, SHIFT, 16 * EXTENT, ImageMemory.of(EXTENT));
  }

  @AfterEach
  void close() {
    home.unmap(() -> new IllegalStateException("closed"));
    file.close();
    medium.close();
  }

  private void store(long address, long value) {
    home.putLong(address, value);
    home.markDirty(address, 8);
  }

  private boolean isPaged(int extent) {
    return home.mapped(extent * EXTENT).getClass().getSimpleName().equals("PagedRegion");
  }

  @Test
  void itIsPagedOnceItIsMoreThanTwiceItsMemory() {
    home.map(2 * EXTENT);
    assertThat(isPaged(0)).isFalse();
    assertThat(isPaged(1)).isFalse();

    home.map(3 * EXTENT);
    assertThat(isPaged(0)).isTrue();
    assertThat(isPaged(1)).isTrue();
    assertThat(isPaged(2)).isTrue();
  }

  @Test
  void whatWasStoredBeforeIsThereAndWhoHasTheOldRegionSeesTheSame() {
    home.map(2 * EXTENT);
    store(EXTENT + 64, 5);
    Region old = home.mapped(EXTENT);

    home.map(4 * EXTENT);
    assertThat(home.getLong(EXTENT + 64)).isEqualTo(5);
    store(EXTENT + 72, 6);
    assertThat(old.getLong(72)).isEqualTo(6);
  }

  @Test
  void anExtentThatIsMappedAnewShowsTheFile() {
    home.map(4 * EXTENT);
    store(3 * EXTENT + 8, 7);
    home.dirty().clear();
    file.write(ByteBuffer.allocate(8).putLong(0, Long.reverseBytes(8)), 3 * EXTENT + 8);
    assertThat(home.getLong(3 * EXTENT + 8)).isEqualTo(7);

    home.remap(3).close();
    assertThat(home.getLong(3 * EXTENT + 8)).isEqualTo(8);
    assertThat(isPaged(3)).isTrue();
  }

  @Test
  void afterItWasCutItGrowsAgain() {
    home.map(4 * EXTENT);
    store(64, 1);
    store(EXTENT + EXTENT / 2, 2);
    store(3 * EXTENT, 3);

    home.truncate(EXTENT + EXTENT / 4, IllegalStateException::new);
    assertThat(home.getLong(64)).isEqualTo(1);
    home.map(4 * EXTENT);
    assertThat(home.getLong(EXTENT + EXTENT / 2)).isZero();
    assertThat(home.getLong(3 * EXTENT)).isZero();
    store(3 * EXTENT, 4);
    assertThat(home.getLong(3 * EXTENT)).isEqualTo(4);
  }
}
