package io.everheap.support.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * The rules that every module's main classes follow. Each module has a subclass that describes the
 * module and adds the rules that only this module has.
 */
@TestInstance(Lifecycle.PER_CLASS)
public abstract class ArchitectureContract {
  /** Two types that are one idea, and one that both need. */
  private static final int MAX_CYCLE = 3;

  private final Architecture module;
  private final Graph graph;

  /**
   * Sets the module to test.
   *
   * @param module its classes, layers and known exceptions
   */
  protected ArchitectureContract(Architecture module) {
    this.module = module;
    this.graph = Graph.ofClasses(module.classes());
  }

  /**
   * Returns the module's main classes, for rules that only this module has.
   *
   * @return all classes, nested ones included
   */
  protected final JavaClasses classes() {
    return module.classes();
  }

  /**
   * Returns the cycles of the module's top-level classes, from two classes on.
   *
   * @return for each cycle the full names of all its classes
   */
  protected final List<Set<String>> classCycles() {
    return graph.cycles();
  }

  @Test
  void everyPackageBelongsToOneLayer() {
    assertThat(new Layers(module.layers(), graph).mismatches()).isEmpty();
  }

  @Test
  void noLayerUsesALayerAboveIt() {
    assertThat(new Layers(module.layers(), graph).upwardUses()).isEmpty();
  }

  @Test
  void packagesHaveNoCycles() {
    Set<Set<String>> cycles = new HashSet<>(graph.packages().cycles());
    assertThat(Architecture.differences(cycles, module.packageCycles())).isEmpty();
  }

  @Test
  void noCycleHasMoreThanThreeClasses() {
    Set<Set<String>> large =
        classCycles().stream()
            .filter(cycle -> cycle.size() > MAX_CYCLE)
            .map(ArchitectureContract::simpleNames)
            .collect(Collectors.toSet());
    assertThat(Architecture.differences(large, module.classCycles())).isEmpty();
  }

  private static Set<String> simpleNames(Set<String> classes) {
    return classes.stream().map(Graph::simpleName).collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void usersCanNameEveryTypeInAPublicSignature() {
    assertThat(Architecture.differences(Signatures.leaks(module), module.leaks())).isEmpty();
  }

  @Test
  void publicTypesSaySinceWhenTheyExistAndHowTheyMayChange() {
    assertThat(Stability.missing(module)).isEmpty();
  }

  @Test
  void noTwoClassesHaveOneSimpleName() {
    Map<String, Set<String>> bySimpleName = new TreeMap<>();
    for (String name : graph.nodes()) {
      bySimpleName.computeIfAbsent(Graph.simpleName(name), any -> new TreeSet<>()).add(name);
    }
    bySimpleName.remove("package-info");
    Set<Set<String>> homonyms =
        bySimpleName.values().stream()
            .filter(names -> names.size() > 1)
            .collect(Collectors.toSet());
    assertThat(Architecture.differences(homonyms, module.homonyms())).isEmpty();
  }

  @Test
  void oneClassCreatesFiles() {
    assertThat(Architecture.differences(Creating.classes(module), module.creators())).isEmpty();
  }

  @Test
  void threadsSayWhetherTheyInherit() {
    assertThat(Inheriting.classes(module)).isEmpty();
  }
}
