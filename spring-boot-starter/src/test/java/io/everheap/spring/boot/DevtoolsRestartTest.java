package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Heap;
import io.everheap.support.FreshJvm;
import io.everheap.support.tier.Campaign;
import java.net.URL;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.devtools.restart.classloader.RestartClassLoader;

/** Restarts by Boot's devtools: the program's classes are loaded again, those of libraries stay. */
@Campaign
class DevtoolsRestartTest {
  @TempDir private Path directory;

  @Test
  void eachRestartFindsWhatTheOneBeforeStored() throws Exception {
    for (int start = 0; start < 3; start++) {
      URL classes = RestartedProgram.class.getProtectionDomain().getCodeSource().getLocation();
      ClassLoader before = Thread.currentThread().getContextClassLoader();
      try (var loader = new RestartClassLoader(getClass().getClassLoader(), new URL[] {classes})) {
        Thread.currentThread().setContextClassLoader(loader);
        Class<?> program = loader.loadClass(RestartedProgram.class.getName());
        assertThat(program).isNotSameAs(RestartedProgram.class);
        @SuppressWarnings("unchecked")
        var restarted = (Function<String, String>) program.getConstructor().newInstance();
        String price = "Price[name=a, cents=" + start + "]";
        assertThat(restarted.apply(directory.toString()))
            .isEqualTo(start == 0 ? "null null" : price + " " + price);
      } finally {
        Thread.currentThread().setContextClassLoader(before);
      }
    }
  }

  /** By Boot's restarter, in a JVM that it may restart; the contexts stay open until then. */
  @ParameterizedTest
  @ValueSource(strings = {"program", "library", "boot"})
  void theRestarterLeavesNoLockAndNoThread(String reloaded) throws Exception {
    assertThat(
            FreshJvm.run(
                List.of("-XX:SoftRefLRUPolicyMSPerMB=0", "--enable-native-access=ALL-UNNAMED"),
                RestarterProgram.class,
                directory.toString(),
                reloaded))
        .isZero();
    try (Heap heap = Heap.open(directory)) {
      assertThat(heap.map("visits", Integer.class, RestarterProgram.Visit.class)).hasSize(3);
    }
  }
}
