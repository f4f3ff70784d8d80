package io.everheap.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.error.MediumException;
import io.everheap.error.StoppedException;
import io.everheap.support.Limit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A heap on a file system of its own, which is unmounted or mounted read-only. Needs root. */
class MountedHeapTest {
  @TempDir private Path temp;
  private Path mounted;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    mounted = Files.createDirectory(temp.resolve("mounted"));
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=512m", "everheap", mounted.toString());
    assumeTrue(isMounted, "this needs to be allowed to mount a file system");
  }

  @AfterEach
  void unmount() throws Exception {
    if (isMounted) {
      assertThat(run("umount", "-l", mounted.toString())).isTrue();
    }
  }

  @Test
  void aHeapWhoseDiskIsUnmountedStopsSoon() throws Exception {
    Path directory = mounted.resolve("h");
    try (Heap heap = Heap.open(directory)) {
      DurableMap<Integer, Integer> map = heap.map("m", Integer.class, Integer.class);
      map.put(1, 1);
      unmount();
      isMounted = false;
      assertThatExceptionOfType(StoppedException.class)
          .isThrownBy(
              () -> {
                Limit.spinUntil(
                    "the heap is poisoned",
                    () -> {
                      try {
                        map.put(2, 2);
                      } catch (MediumException e) { // a new segment of the log was needed
                        assertThat(e).hasMessageContaining("unmounted");
                      }
                      return false;
                    });
              })
          .withMessageContaining("unmounted");
    }
    assertThat(mounted).isEmptyDirectory();
  }

  @Test
  void aReadOnlyDiskIsOpenedForReadingAndSaysSo() throws Exception {
    Path directory = mounted.resolve("h");
    try (Heap heap = Heap.open(directory)) {
      heap.map("m", Integer.class, Integer.class).put(1, 1);
    }
    assertThat(run("mount", "-o", "remount,ro", mounted.toString())).isTrue();
    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> Heap.open(directory))
        .withMessageContainingAll(
            "cannot open " + directory.toRealPath() + " for writing", "open it read-only");
    try (Heap heap = Heap.builder(directory).readOnly().open()) {
      assertThat(heap.map("m", Integer.class, Integer.class)).containsEntry(1, 1);
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
      process.getInputStream().readAllBytes();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }
}
