package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import io.everheap.error.StoppedException;
import io.everheap.heap.HeapSettings;
import io.everheap.memory.ChildJvm;
import io.everheap.support.Limit;
import io.everheap.support.tier.Campaign;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lock is lost silently when its file is deleted or copied; no second writer gets in then. */
@Campaign
class LostLockTest {
  @TempDir Path temp;
  private Path bank;

  @BeforeEach
  void makeAHeap() {
    bank = temp.resolve("bank");
    TestHeaps.create(bank, 10);
  }

  /** Another process that has a heap open and does as it is told. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      Path bank = Path.of(arguments[0]);
      var options = arguments[1].equals("watching") ? TestHeaps.automatic() : TestHeaps.manual();
      try (Heap heap = HeapSettings.options(Heap.builder(bank), options).open();
          BufferedReader in =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        System.out.println("open");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          switch (line) {
            case "copy" ->
                Files.copy(
                    bank.resolve("lock"),
                    bank.resolveSibling("lock-copy"),
                    StandardCopyOption.REPLACE_EXISTING);
            case "close" -> {
              return;
            }
            case "put until stopped" -> {
              try {
                while (true) {
                  TestHeaps.put(heap, 10, 11);
                }
              } catch (StoppedException e) {
                System.out.println(e.getMessage());
                continue;
              }
            }
            default -> TestHeaps.put(heap, Integer.parseInt(line), Integer.parseInt(line) + 1);
          }
          System.out.println("done " + line);
        }
      } catch (LockedException e) {
        System.out.println(e.code());
      }
    }
  }

  private ChildJvm holder(String how) throws Exception {
    ChildJvm child = new ChildJvm(List.of(), Holder.class, bank.toString(), how);
    assertThat(child.line()).isEqualTo("open");
    return child;
  }

  private static void tell(ChildJvm child, String command) throws Exception {
    child.send(command);
    assertThat(child.line()).isEqualTo("done " + command);
  }

  private void assertRefused(ChildJvm by) {
    assertThatExceptionOfType(LockedException.class)
        .isThrownBy(() -> TestHeaps.open(bank))
        .withMessageContaining("open in process " + by.pid())
        .returns(OptionalLong.of(by.pid()), LockedException::pid);
    assertThatExceptionOfType(LockedException.class).isThrownBy(() -> TestHeaps.openReadOnly(bank));
  }

  @ParameterizedTest
  @ValueSource(strings = {"watching", "alone"})
  void deletingTheLockFileLetsNobodyIn(String how) throws Exception {
    try (ChildJvm child = holder(how)) {
      Files.delete(bank.resolve("lock"));
      assertRefused(child);
      tell(child, "10");
      child.send("close");
      assertThat(child.line()).isNull();
    }
    TestHeaps.assertHolds(bank, 11);
  }

  @ParameterizedTest
  @ValueSource(strings = {"watching", "alone"})
  void copyingTheLockFileWithinItsProcessLetsNobodyIn(String how) throws Exception {
    try (ChildJvm child = holder(how)) {
      tell(child, "copy");
      assertRefused(child);
      tell(child, "10");
      child.send("close");
      assertThat(child.line()).isNull();
    }
    TestHeaps.assertHolds(bank, 11);
  }

  @Test
  void aDeletedLockFileIsMadeAndLockedAgain() throws Exception {
    try (ChildJvm child = holder("watching")) {
      Files.delete(bank.resolve("lock"));
      Limit.until("the lock file is there", () -> Files.exists(bank.resolve("lock")));
      Files.delete(bank.resolve("owner")); // which keeps others out until then
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> TestHeaps.open(bank))
          .withMessageContaining("another process");
      tell(child, "10");
      child.send("close");
      assertThat(child.line()).isNull();
    }
    TestHeaps.assertHolds(bank, 11);
  }

  @Test
  void aProcessWhoseHeapIsOpenedElsewhereStops() throws Exception {
    try (ChildJvm child = holder("watching")) {
      // What another machine, which does not know the process, can do once the lock is gone.
      Files.delete(bank.resolve("owner"));
      Files.delete(bank.resolve("lock"));
      try (Heap heap = TestHeaps.open(bank)) {
        child.send("put until stopped");
        assertThat(child.line()).contains("has opened " + bank.toRealPath(), "stop both");
        assertThat(heap.isOpen()).isTrue();
        TestHeaps.put(heap, 20, 21);
      }
      child.send("close");
      assertThat(child.line()).isNull();
    }
  }

  @Test
  void aProcessWhoseSuperblockWasWrittenElsewhereStopsAtTheNextCheckpoint() throws Exception {
    Path other = temp.resolve("other");
    try (Heap heap = TestHeaps.open(bank)) {
      TestHeaps.put(heap, 10, 11);
      Files.createDirectory(other);
      // Another process, of which nothing but what it wrote is seen.
      io.everheap.engine.HeapCopy.killed(bank, other.resolve("bank"));
      TestHeaps.create(other.resolve("bank"), 1);
      byte[] superblocks = new byte[8192];
      try (var in = Files.newInputStream(other.resolve("bank/heap"))) {
        assertThat(in.readNBytes(superblocks, 0, 8192)).isEqualTo(8192);
      }
      TestHeaps.write(bank.resolve("heap"), 0, java.nio.ByteBuffer.wrap(superblocks));

      assertThatExceptionOfType(EverheapException.class)
          .isThrownBy(heap::checkpoint)
          .withMessageContaining("heap was overwritten while it was open");
      assertThat(heap.isOpen()).isFalse();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        // The process id is in use, but by a process that started at another time.
        "%1$d\n%2$s\n1970-01-01T00:00:00Z\n%4$s\n1\n",
        // Of another boot, or another container.
        "%1$d\nanother boot pid:[1]\n%3$s\n%4$s\n1\n",
        // A copy of a directory that is open elsewhere.
        "%1$d\n%2$s\n%3$s\n(dev=1,ino=1)\n1\n",
        "%1$d\n",
        "nonsense"
      })
  void whatAnotherProcessLeftKeepsNobodyOut(String left) throws Exception {
    try (ChildJvm child = holder("alone")) {
      List<String> lines = Files.readAllLines(bank.resolve("owner"));
      child.kill();
      long alive = ProcessHandle.current().parent().orElseThrow().pid();
      Files.writeString(
          bank.resolve("owner"),
          String.format(Locale.ROOT, left, alive, lines.get(1), lines.get(2), lines.get(3)));
      TestHeaps.assertHolds(bank, 10);
    }
  }
}
