package io.everheap.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.testkit.machine.SimulatedMedium;
import java.lang.module.ModuleDescriptor.Requires;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ModuleTest {
  @Test
  void theTestkitNeedsNothingButTheLibrary() throws Exception {
    var classes =
        Path.of(SimulatedMedium.class.getProtectionDomain().getCodeSource().getLocation().toURI());

    var module = ModuleFinder.of(classes).find("io.everheap.testkit").orElseThrow().descriptor();

    assertThat(module.requires())
        .filteredOn(r -> !r.modifiers().contains(Requires.Modifier.STATIC))
        .extracting(Requires::name)
        .containsExactlyInAnyOrder("java.base", "io.everheap");
  }
}
