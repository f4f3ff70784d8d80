package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import io.everheap.error.MediumException;
import io.everheap.support.Limit;
import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeapLockTest {
  private static final long PID = ProcessHandle.current().pid();

  @TempDir Path temp;

  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void aProcessOpensAHeapOnce(boolean firstReads, boolean secondReads) throws Exception {
    Path heap = heap();

    try (var first = FileMedium.open(heap, firstReads, false)) {
      assertThat(first.readOnly()).isEqualTo(firstReads);
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(heap, secondReads, false))
          .withMessageContaining(heap.toString())
          .withMessageContaining("already open in this process (" + PID + ")")
          .returns("EH-LOCKED", LockedException::code)
          .returns(OptionalLong.of(PID), LockedException::pid);
    }
    FileMedium.open(heap, secondReads, false).close();
  }

  @Test
  void otherSpellingsAndSymbolicLinksAreTheSameHeap() throws Exception {
    Path heap = heap();
    Path link = Files.createSymbolicLink(temp.resolve("link"), heap);
    Path detour = heap.resolve("..").resolve("heap").resolve(".");
    Path relative = Path.of("").toAbsolutePath().relativize(heap);

    try (var first = FileMedium.open(link, false, false)) {
      assertThat(first.location()).isEqualTo(heap.toString());
      for (Path spelling : List.of(heap, detour, relative, link)) {
        assertThatExceptionOfType(LockedException.class)
            .isThrownBy(() -> FileMedium.open(spelling, false, false));
      }
    }
  }

  @Test
  void theLockSpansClassLoaders() throws Exception {
    Path heap = heap();
    URL[] urls =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(HeapLockTest::url)
            .toArray(URL[]::new);
    FileMedium first = FileMedium.open(heap, false, false);
    try (var loader = new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
      var open =
          loader
              .loadClass(FileMedium.class.getName())
              .getMethod("open", Path.class, boolean.class, boolean.class);
      assertThat(open.getDeclaringClass()).isNotSameAs(FileMedium.class);

      assertThatThrownBy(() -> open.invoke(null, heap, false, false))
          .isInstanceOf(InvocationTargetException.class)
          .cause()
          .hasToString(
              LockedException.class.getName()
                  + ": "
                  + heap
                  + " is already open in this process ("
                  + PID
                  + "), in another class loader with another copy of this library, such as that of an"
                  + " application that was started again; close it there, or let both share one copy"
                  + " (EH-LOCKED)");

      first.close();
      ((AutoCloseable) open.invoke(null, heap, false, false)).close();
    }
  }

  @Test
  void anotherProcessKeepsAWriterAndAReaderOut() throws Exception {
    Path heap = heap();
    try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "write")) {
      assertThat(child.line()).isEqualTo("open");

      for (boolean reads : new boolean[] {false, true}) {
        assertThatExceptionOfType(LockedException.class)
            .isThrownBy(() -> FileMedium.open(heap, reads, false))
            .withMessageContaining(heap.toString())
            .withMessageContaining("open in process " + child.pid())
            .returns(OptionalLong.of(child.pid()), LockedException::pid);
      }
      child.send("close");
      assertThat(child.line()).isEqualTo("closed");
      FileMedium.open(heap, false, false).close();
    }
  }

  @Test
  void aFailedAttemptDoesNotDropTheLock() throws Exception {
    Path heap = heap();
    try (var medium = FileMedium.open(heap, false, false)) {
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(heap, false, false));

      try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "write")) {
        assertThat(child.line()).isEqualTo("EH-LOCKED " + PID);
      }
      assertThat(medium.exists("lock")).isTrue();
    }
  }

  @Test
  void processesReadTogetherAndKeepWritersOut() throws Exception {
    Path heap = heap();
    FileMedium.open(heap, false, false).close();
    try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "read")) {
      assertThat(child.line()).isEqualTo("open");

      FileMedium.open(heap, true, false).close();
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(heap, false, false))
          .withMessageContaining("another process")
          .returns(OptionalLong.empty(), LockedException::pid);
    }
  }

  @Test
  void aKilledProcessLeavesNoLock() throws Exception {
    Path heap = heap();
    try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "write")) {
      assertThat(child.line()).isEqualTo("open");
      child.kill();
      assertThat(heap.resolve("owner")).content().startsWith(child.pid() + "\n");

      try (var medium = FileMedium.open(heap, false, false)) {
        assertThat(medium.readOnly()).isFalse();
        assertThat(heap.resolve("owner")).content().startsWith(PID + "\n");
      }
      assertThat(heap.resolve("owner")).doesNotExist();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense\n", "-1", "99999999999999999999999999999999999999999"})
  void aDamagedOwnerFileIsNoTrouble(String content) throws Exception {
    Path heap = heap();
    try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "write")) {
      assertThat(child.line()).isEqualTo("open");
      Files.writeString(heap.resolve("owner"), content);

      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(heap, false, false))
          .withMessageContaining("another process, which does not say its id");
    }
  }

  @Test
  void aReaderGoesAheadWithoutALockFileAndMakesNone() throws Exception {
    Path heap = heap();

    try (var medium = FileMedium.open(heap, true, false)) {
      assertThat(medium.list("")).isEmpty();
    }
    assertThat(heap).isEmptyDirectory();
  }

  @Test
  void aLockFileThatCannotBeMadeIsReported() throws Exception {
    Path heap = heap();
    Files.createSymbolicLink(heap.resolve("lock"), heap.resolve("nowhere"));

    assertThatExceptionOfType(MediumException.class)
        .isThrownBy(() -> FileMedium.open(heap, false, false))
        .withMessageContaining(heap.resolve("lock").toString());
    FileMedium.open(heap, true, false).close();
  }

  @Test
  void aLockTakenBehindTheRegistryIsRespectedAndKept() throws Exception {
    Path heap = heap();
    FileMedium.open(heap, false, false).close();
    try (var channel =
            FileChannel.open(
                heap.resolve("lock"), StandardOpenOption.READ, StandardOpenOption.WRITE);
        var lock = channel.lock()) {
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> FileMedium.open(heap, false, false))
          .withMessageContaining("in this process");

      assertThat(lock.isValid()).isTrue();
      try (var child = new ChildJvm(List.of(), Holder.class, heap.toString(), "write")) {
        assertThat(child.line()).startsWith("EH-LOCKED");
      }
    }
  }

  @Test
  void twoThousandOpeningsRaceForOneLock() throws Exception {
    Path heap = heap();
    var inside = new AtomicInteger();
    var most = new AtomicInteger();
    var threads =
        IntStream.range(0, 4)
            .mapToObj(
                i ->
                    Thread.ofPlatform()
                        .start(
                            () -> {
                              for (int round = 0; round < 500; round++) {
                                try (var medium = FileMedium.open(heap, false, false)) {
                                  most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                                  medium.exists("lock");
                                  inside.decrementAndGet();
                                } catch (LockedException e) {
                                  Thread.onSpinWait();
                                }
                              }
                            }))
            .toList();
    for (Thread thread : threads) {
      Limit.join(thread);
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void aHeapOpensEvenIfItsOwnerFileCannotBeWritten() throws Exception {
    Path heap = heap();
    Files.createDirectories(heap.resolve("owner").resolve("in-the-way"));

    assertThatCode(() -> FileMedium.open(heap, true, false).close()).doesNotThrowAnyException();
    var medium = FileMedium.open(heap, false, false);
    assertThat(medium.exists("lock")).isTrue();
    assertThatExceptionOfType(EverheapException.class).isThrownBy(medium::close);
    Files.delete(heap.resolve("owner").resolve("in-the-way"));
    FileMedium.open(heap, false, false).close();
  }

  private Path heap() throws Exception {
    return Files.createDirectory(temp.toRealPath().resolve("heap"));
  }

  private static URL url(String entry) {
    try {
      return Path.of(entry).toUri().toURL();
    } catch (MalformedURLException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Opens a heap in another process, and closes it when it is told to. */
  static final class Holder {
    private Holder() {}

    /**
     * Runs it.
     *
     * @param arguments the heap, and read or write
     * @throws Exception if the heap cannot be closed
     */
    public static void main(String[] arguments) throws Exception {
      try (var medium =
          FileMedium.open(Path.of(arguments[0]), arguments[1].equals("read"), false)) {
        System.out.println("open");
        if (System.in.read() < 0) {
          System.err.println("left alone with " + medium);
        }
      } catch (LockedException e) {
        System.out.println(e.code() + " " + e.pid().orElse(0));
        return;
      }
      System.out.println("closed");
    }
  }
}
