package io.everheap.testkit;

import static io.everheap.testkit.Bytes.at;
import static io.everheap.testkit.Bytes.durable;
import static io.everheap.testkit.Bytes.filled;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.memory.MediumFile;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DirectoryEntriesTest {
  private final SimulatedMedium medium = SimulatedMedium.file(2);

  @Test
  void aNewFileIsLostUnlessItsDirectoryWasSynced() {
    medium.create("a").sync();
    assertThat(medium.powerLoss(Chooser.none()).exists("a")).isFalse();
    assertThat(medium.powerLoss(Chooser.all()).exists("a")).isTrue();

    medium.syncDirectory("");

    assertThat(medium.powerLoss(Chooser.none()).exists("a")).isTrue();
  }

  @Test
  void filesThatChangedTheirNamesAreAnotherState() {
    assertThat(named("d", "h").image().hash()).isNotEqualTo(named("h", "d").image().hash());
    assertThat(named("d", "h").image().hash()).isEqualTo(named("d", "h").image().hash());
  }

  private static SimulatedMedium named(String first, String second) {
    SimulatedMedium two = SimulatedMedium.file(2);
    durable(two, "other", 8);
    durable(two, first, 16);
    durable(two, second, 24);
    two.syncDirectory("");
    return two;
  }

  @Test
  void aFileIsLostWithItsDirectory() {
    medium.create("log/1").sync();
    medium.syncDirectory("log");
    assertThat(medium.list("log")).containsExactly("1");
    assertThat(medium.powerLoss(Chooser.none()).exists("log/1")).isFalse();

    medium.syncDirectory("");

    assertThat(medium.powerLoss(Chooser.none()).list("log")).containsExactly("1");
  }

  @Test
  void aRenameHappensAsAWholeOrNot() {
    MediumFile file = durable(medium, "heap.new", 512);
    file.write(filled(512, 1), 0);
    file.sync();
    durable(medium, "heap", 512);
    medium.rename("heap.new", "heap");

    CrashImage image = medium.image();
    Set<String> seen = new HashSet<>();
    for (int[] state : CrashStates.of(image.units(), 16, 16, 0).all()) {
      SimulatedMedium next = image.powerLoss(unit -> state[unit.index()]);
      seen.add(next.exists("heap.new") + " " + at(next, "heap", 0));
    }

    assertThat(seen).containsExactlyInAnyOrder("true 0", "false 1");
  }

  @Test
  void aDeletedFileMayComeBackWithItsDurableBytes() {
    MediumFile file = durable(medium, "a", 512);
    file.write(filled(512, 1), 0);
    medium.delete("a");

    assertThat(medium.exists("a")).isFalse();
    assertThat(at(medium.powerLoss(Chooser.none()), "a", 0)).isZero();
    medium.syncDirectory("");
    assertThat(medium.powerLoss(Chooser.none()).exists("a")).isFalse();
  }

  @Test
  void aRenamedFileKeepsItsHandleAndItsBytes() {
    MediumFile file = durable(medium, "tmp", 512);
    medium.rename("tmp", "log-1");
    file.write(filled(512, 8), 0);

    assertThat(at(medium, "log-1", 0)).isEqualTo(8);
    assertThat(medium.list("")).isEqualTo(List.of("log-1"));
  }
}
