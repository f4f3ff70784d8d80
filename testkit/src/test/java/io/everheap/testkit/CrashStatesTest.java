package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.testkit.machine.Chooser;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CrashStatesTest {
  @Test
  void fewUnitsAreTriedInAllCombinations() {
    List<Chooser.Unit> units = units(3, 2, 4);

    CrashStates states = CrashStates.of(units, 24, 2, 1);

    assertThat(states.exhaustive()).isTrue();
    assertThat(choices(states, units)).hasSize(24);
  }

  @Test
  void manyUnitsAreTriedAloneAndAtRandomWithinTheBudget() {
    List<Chooser.Unit> units = units(2, 2, 2, 2, 2, 2, 2, 2);

    CrashStates states = CrashStates.of(units, 100, 100, 1);

    assertThat(states.exhaustive()).isFalse();
    assertThat(states.all()).hasSize(100);
    assertThat(choices(states, units))
        .contains(List.of(0, 0, 0, 0, 0, 0, 0, 0))
        .contains(List.of(1, 1, 1, 1, 1, 1, 1, 1))
        .contains(List.of(0, 0, 0, 1, 0, 0, 0, 0))
        .contains(List.of(1, 1, 1, 1, 1, 1, 1, 0));
  }

  @Test
  void nothingUncertainMeansOneState() {
    assertThat(CrashStates.of(List.of(), 10, 10, 1).all()).hasSize(1);
  }

  @Test
  void theSameSeedTriesTheSameStates() {
    List<Chooser.Unit> units = units(5, 5, 5, 5, 5, 5);

    assertThat(choices(CrashStates.of(units, 50, 50, 7), units))
        .isEqualTo(choices(CrashStates.of(units, 50, 50, 7), units));
  }

  private static List<Chooser.Unit> units(int... versions) {
    List<Chooser.Unit> units = new ArrayList<>();
    for (int i = 0; i < versions.length; i++) {
      units.add(new Chooser.Unit(i, versions[i], i, "unit " + i));
    }
    return units;
  }

  private static Set<List<Integer>> choices(CrashStates states, List<Chooser.Unit> units) {
    Set<List<Integer>> all = new HashSet<>();
    for (int[] versions : states.all()) {
      all.add(units.stream().map(unit -> versions[unit.index()]).toList());
    }
    return all;
  }
}
