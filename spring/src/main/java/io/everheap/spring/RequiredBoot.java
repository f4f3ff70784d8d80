package io.everheap.spring;

import io.everheap.stability.Stable;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Refuses versions of Spring Boot before 4, in which the configurations of this library would come
 * in another order than those of Boot, and replace its beans or be replaced. Spring Boot calls it
 * before it makes any bean.
 *
 * @since 0.9
 */
@Stable
public final class RequiredBoot
    implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  /** For Spring Boot. */
  public RequiredBoot() {}

  /**
   * Checks the version.
   *
   * @throws IllegalStateException if it is older
   */
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    require(SpringBootVersion.getVersion());
  }

  static void require(@Nullable String version) {
    if (version != null && version.matches("[0-3]\\..*")) {
      throw new IllegalStateException(
          "Everheap's modules for Spring need Spring Boot 4 and Spring Framework 7, and this is"
              + " Spring Boot "
              + version
              + ". Use a newer Spring Boot, or only the modules everheap and everheap-cache.");
    }
  }
}
