package io.everheap.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Campaign;
import java.net.URL;
import java.nio.file.Path;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
}
