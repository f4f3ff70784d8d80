package io.everheap.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.error.EverheapException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the library needs from others, and what it offers to whom. */
class ModuleTest {
  private static final Set<String> OWN_MODULES =
      Set.of(
          "io.everheap.cache",
          "io.everheap.cli",
          "io.everheap.replication",
          "io.everheap.salvage",
          "io.everheap.store",
          "io.everheap.testkit");

  private static ModuleDescriptor module;

  @BeforeAll
  static void readTheDescriptor() throws Exception {
    var classes =
        Path.of(
            EverheapException.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    module = ModuleFinder.of(classes).find("io.everheap").orElseThrow().descriptor();
  }

  @Test
  void theLibraryNeedsNothingButTheJdk() {
    assertThat(module.requires())
        .filteredOn(requires -> !requires.name().equals("org.jspecify"))
        .extracting(Requires::name)
        .contains("java.base")
        .isSubsetOf("java.base", "jdk.jfr", "jdk.nio.mapmode", "jdk.unsupported");
  }

  @Test
  void jspecifyIsNeededByTheCompilerOnly() {
    assertThat(module.requires())
        .filteredOn(requires -> requires.name().equals("org.jspecify"))
        .singleElement()
        .satisfies(
            requires -> assertThat(requires.modifiers()).containsExactly(Requires.Modifier.STATIC));
  }

  @Test
  void engineAndMemoryAreExportedToTheProjectsOwnModulesOnly() {
    assertThat(module.exports())
        .filteredOn(
            exports ->
                exports.source().startsWith("io.everheap.engine")
                    || exports.source().startsWith("io.everheap.log")
                    || exports.source().startsWith("io.everheap.memory"))
        .allSatisfy(exports -> assertThat(exports.targets()).isNotEmpty().isSubsetOf(OWN_MODULES));
  }

  @Test
  void onlyThePackagesForUsersAreExportedToAll() {
    assertThat(module.exports())
        .filteredOn(exports -> !exports.isQualified())
        .extracting(ModuleDescriptor.Exports::source)
        .contains("io.everheap.error")
        .isSubsetOf(
            "io.everheap",
            "io.everheap.collection",
            "io.everheap.durable",
            "io.everheap.durable.runtime",
            "io.everheap.block",
            "io.everheap.encryption",
            "io.everheap.journal",
            "io.everheap.report",
            "io.everheap.stability",
            "io.everheap.codec",
            "io.everheap.codec.derived",
            "io.everheap.error");
  }

  @Test
  void nothingIsOpenedForReflection() {
    assertThat(module.isOpen()).isFalse();
    assertThat(module.opens()).isEmpty();
  }
}
