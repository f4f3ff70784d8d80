package io.everheap.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.engine.home.ChangedPages;
import io.everheap.engine.home.CheckedPages;
import io.everheap.engine.home.Home;
import io.everheap.engine.home.HomeLayout;
import io.everheap.memory.FileMedium;
import io.everheap.memory.Medium;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes of pages by the thread of a checkpoint while another thread closes the heap. */
class PageWriterTest {
  private static final long PAGE = HomeLayout.CATALOG_ADDRESS >>> HomeLayout.PAGE_SHIFT;

  @TempDir Path temp;

  /** A poisoned heap is closed without a wait for the checkpoint that a caller may be running. */
  @Test
  void aReleaseDoesNotDisturbAWriteThatRuns() {
    Medium medium = FileMedium.open(temp.resolve("heap"), false, true);
    try (Engine engine = Engine.open(medium, EngineTest.small(true))) {
      engine.checkpoint();
      Home home = engine.home();
      CheckedPages unchecked =
          new CheckedPages(
              medium, home.file(), engine.uuid(), home.extentShift(), home.maxExtents());
      PageWriter[] writer = new PageWriter[1];
      writer[0] =
          new PageWriter(
              home,
              unchecked,
              ChangedPages.none(medium),
              engine.log(),
              engine.transactions(),
              file -> {},
              lsn -> writer[0].release());
      writer[0].write(new long[] {PAGE});
      ByteBuffer written = ByteBuffer.allocate(HomeLayout.PAGE_SIZE);
      home.file().read(written, PAGE << HomeLayout.PAGE_SHIFT);
      byte[] expected = new byte[HomeLayout.PAGE_SIZE];
      home.copyOut(PAGE << HomeLayout.PAGE_SHIFT, expected, 0, expected.length);
      assertThat(written.array()).isEqualTo(expected);
    }
  }
}
