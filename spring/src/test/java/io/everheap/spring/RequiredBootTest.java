package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** A version of Spring Boot that does not fit is refused in words. */
class RequiredBootTest {
  @ParameterizedTest
  @ValueSource(strings = {"3.5.10", "2.7.18", "3.0.0-M1"})
  void anOlderVersionIsRefused(String version) {
    assertThatThrownBy(() -> RequiredBoot.require(version))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("Spring Boot 4")
        .hasMessageContaining(version);
  }

  @Test
  void thisVersionAndNewerOnesAreAccepted() {
    for (String version : new String[] {SpringBootVersion.getVersion(), "4.0.0", "10.1.0", null}) {
      assertThatCode(() -> RequiredBoot.require(version)).doesNotThrowAnyException();
    }
  }

  @Test
  void bootFindsTheCheck() {
    List<Object> all =
        List.copyOf(
            SpringFactoriesLoader.forDefaultResourceLocation(getClass().getClassLoader())
                .load(ApplicationContextInitializer.class));
    assertThat(all).anyMatch(RequiredBoot.class::isInstance);
  }
}
