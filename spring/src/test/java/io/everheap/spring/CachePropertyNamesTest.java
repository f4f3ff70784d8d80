package io.everheap.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** Options of single caches reach the cache that the property names, or the program is refused. */
class CachePropertyNamesTest {
  private static StandardEnvironment with(String property) {
    var environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of(property, "1h")));
    return environment;
  }

  private static String bound(StandardEnvironment environment) {
    CachePropertyNames.requireBound(environment);
    EverheapCacheProperties properties =
        Binder.get(environment).bind("everheap.cache", EverheapCacheProperties.class).get();
    return properties.getCaches().entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue().getTimeToLive())
        .collect(Collectors.joining());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prices",
        "Prices",
        "my-prices",
        "my_Prices",
        "1a",
        "[com.shop.Prices]",
        "[prices:eu]",
        "[preise_für]",
        "[a[b]]"
      })
  void aNameThatIsBoundIsAccepted(String name) {
    String cache = name.startsWith("[") ? name.substring(1, name.length() - 1) : name;
    for (String option : new String[] {"time-to-live", "timeToLive", "time_to_live"}) {
      assertThat(bound(with("everheap.cache.caches." + name + "." + option)))
          .isEqualTo(cache + " PT1H");
    }
    assertThat(bound(with("everheap.cache.caches[" + cache + "].time-to-live")))
        .isEqualTo(cache + " PT1H");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"com.shop.Prices", "prices:eu", "preise_für", "für", "a/b", "a b", "-x", "a[b]"})
  void aNameThatWouldBeLostIsRefusedAndWrittenWithBrackets(String name) {
    String property = "everheap.cache.caches." + name + ".time-to-live";
    assertThatThrownBy(() -> CachePropertyNames.requireBound(with(property)))
        .isInstanceOf(InvalidConfigurationPropertyValueException.class)
        .hasMessageContaining(property)
        .hasMessageContaining("everheap.cache.caches.[" + name + "].time-to-live");
    assertThat(bound(with("everheap.cache.caches.[" + name + "].time-to-live")))
        .isEqualTo(name + " PT1H");
  }

  @Test
  void aMisspelledOptionIsRefused() {
    assertThatThrownBy(
            () ->
                CachePropertyNames.requireBound(with("everheap.cache.caches.prices.time-to-leave")))
        .hasMessageContaining("everheap.cache.caches.prices.time-to-leave")
        .hasMessageContaining("time-to-live");
  }

  @Test
  void variablesNameCachesOfOneWord() {
    for (String option : new String[] {"TIMETOLIVE", "TIME_TO_LIVE"}) {
      assertThat(bound(withVariable("EVERHEAP_CACHE_CACHES_PRICES_" + option)))
          .isEqualTo("prices PT1H");
    }
    assertThatThrownBy(
            () ->
                CachePropertyNames.requireBound(
                    withVariable("EVERHEAP_CACHE_CACHES_MY_PRICES_TIMETOLIVE")))
        .hasMessageContaining("EVERHEAP_CACHE_CACHES_MY_PRICES_TIMETOLIVE")
        .hasMessageContaining("everheap.cache.caches.[");
  }

  private static StandardEnvironment withVariable(String variable) {
    var environment = new StandardEnvironment();
    String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
    environment
        .getPropertySources()
        .replace(name, new SystemEnvironmentPropertySource(name, Map.of(variable, "1h")));
    return environment;
  }

  @Test
  void otherPropertiesAreNotLookedAt() {
    assertThatCode(
            () -> {
              CachePropertyNames.requireBound(with("everheap.cache.time-to-live"));
              CachePropertyNames.requireBound(with("other.caches.a.b.c"));
            })
        .doesNotThrowAnyException();
  }

  @Test
  void theOptionsAreThoseOfACache() throws Exception {
    var options = new TreeSet<String>();
    for (var each :
        java.beans.Introspector.getBeanInfo(EverheapCacheOptions.class, Object.class)
            .getPropertyDescriptors()) {
      options.add(each.getName());
    }
    for (String option : options) {
      assertThatCode(
              () -> CachePropertyNames.requireBound(with("everheap.cache.caches.a." + option)))
          .doesNotThrowAnyException();
    }
    assertThat(options).hasSize(7);
  }
}
