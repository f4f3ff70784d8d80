package io.everheap.support.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModuleNameTest {
  @ParameterizedTest
  @CsvSource({
    "/c, core/target/surefire-reports, core",
    "/c, core/target/quick/newest-reports, core",
    "/c, samples/words/target/surefire-reports, samples/words",
    "/c, plugin/target/it/one/target/surefire-reports, plugin",
    "/c/core, target/surefire-reports, core",
    "/c/core/target/quick, surefire-reports, core",
    "/target/c, core/target/surefire-reports, core",
    "/artifacts, fast/core/surefire-reports, core",
    "/artifacts, samples/words, samples/words",
    "/artifacts/core, surefire-reports, core"
  })
  void theModuleFollowsFromThePath(Path searched, Path directory, String module) {
    assertThat(ModuleName.of(searched, searched.resolve(directory).resolve("TEST-a.xml")))
        .isEqualTo(module);
  }
}
