package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.everheap.error.LockedException;
import io.everheap.memory.ChildJvm;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockedHeapTest {
  @TempDir Path temp;
  private Path bank;

  @BeforeEach
  void makeAHeap() {
    bank = temp.resolve("bank");
    TestHeaps.create(bank, 10);
  }

  /** Another process: opens a heap and puts entries as it is told to. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      try (Heap heap = TestHeaps.open(Path.of(arguments[0]));
          BufferedReader in =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        System.out.println("open");
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          if (line.equals("close")) {
            break;
          }
          int key = Integer.parseInt(line);
          TestHeaps.put(heap, key, key + 1);
          System.out.println("put " + key);
        }
      }
      System.out.println("closed");
    }
  }

  @Test
  void aHeapOfAnotherProcessIsRefusedWithItsPidAndGoesOn() throws Exception {
    try (ChildJvm other = new ChildJvm(List.of(), Holder.class, bank.toString())) {
      assertThat(other.line()).isEqualTo("open");
      Map<String, String> before = TestHeaps.files(bank);
      String pid = Long.toString(other.pid());

      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> TestHeaps.open(bank))
          .returns("EH-LOCKED", LockedException::code)
          .returns(OptionalLong.of(other.pid()), LockedException::pid)
          .withMessageContainingAll(bank.toString(), "process " + pid, "close it there");
      assertThatExceptionOfType(LockedException.class)
          .isThrownBy(() -> TestHeaps.openReadOnly(bank))
          .returns("EH-LOCKED", LockedException::code)
          .withMessageContainingAll(bank.toString(), pid);
      assertThat(TestHeaps.files(bank)).isEqualTo(before);

      other.send("10");
      assertThat(other.line()).isEqualTo("put 10");
      other.send("close");
      assertThat(other.line()).isEqualTo("closed");
      TestHeaps.assertHolds(bank, 11);
    }
  }

  @Test
  void theLockOfAKilledProcessIsFree() throws Exception {
    try (ChildJvm other = new ChildJvm(List.of(), Holder.class, bank.toString())) {
      assertThat(other.line()).isEqualTo("open");
      other.send("10");
      assertThat(other.line()).isEqualTo("put 10");
      other.kill();
      TestHeaps.assertHolds(bank, 11);
    }
  }

  @Test
  void aSecondOpeningInThisProcessIsRefusedHoweverThePathIsSpelled() throws Exception {
    Path link = Files.createSymbolicLink(temp.resolve("link"), bank);
    Path above = Files.createSymbolicLink(temp.resolve("above"), temp);
    Path relative = Path.of("").toAbsolutePath().relativize(bank.toRealPath());
    List<Path> spellings =
        List.of(
            bank,
            temp.resolve("x/../bank"),
            bank.resolve("."),
            link,
            above.resolve("bank"),
            relative);
    String pid = Long.toString(ProcessHandle.current().pid());

    try (Heap heap = TestHeaps.open(bank)) {
      Map<String, String> before = TestHeaps.files(bank);
      Files.createDirectory(temp.resolve("x"));
      for (Path spelling : spellings) {
        assertThatExceptionOfType(LockedException.class)
            .as("%s", spelling)
            .isThrownBy(() -> TestHeaps.open(spelling))
            .returns("EH-LOCKED", LockedException::code)
            .withMessageContainingAll(bank.toRealPath().toString(), pid, "close it first");
        assertThatExceptionOfType(LockedException.class)
            .as("%s, read-only", spelling)
            .isThrownBy(() -> TestHeaps.openReadOnly(spelling));
      }
      assertThat(TestHeaps.files(bank)).isEqualTo(before);
      TestHeaps.put(heap, 10, 20);
      TestHeaps.assertHolds(heap, 20);
    }
    TestHeaps.assertHolds(link, 20);
  }

  @Test
  void aHeapThatIsOnlyReadHereIsNotOpenedForWriting() {
    try (Heap reader = TestHeaps.openReadOnly(bank)) {
      assertThatExceptionOfType(LockedException.class).isThrownBy(() -> TestHeaps.open(bank));
      TestHeaps.assertHolds(reader, 10);
    }
    TestHeaps.assertHolds(bank, 10);
  }

  @Test
  void aRefusedOpeningLeavesNoLockBehind() throws Exception {
    Path foreign = Files.createDirectory(temp.resolve("foreign"));
    Path letter = Files.writeString(foreign.resolve("letter"), "Dear Sir");
    assertThatExceptionOfType(io.everheap.error.ForeignException.class)
        .isThrownBy(() -> TestHeaps.open(foreign));
    Files.delete(letter);
    TestHeaps.create(foreign, 3);
    TestHeaps.assertHolds(foreign, 3);
  }
}
