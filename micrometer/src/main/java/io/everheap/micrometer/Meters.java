package io.everheap.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers the meters of one source.
 *
 * @param owner holds the statistics; the registry refers to it weakly, as Micrometer does
 */
record Meters<T>(MeterRegistry registry, Object owner, Sampled<T> stats, Tags tags) {
  void counter(String name, @Nullable String unit, String description, ToDoubleFunction<T> value) {
    FunctionCounter.builder(name, owner, o -> of(value, 0))
        .tags(tags)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  void gauge(String name, @Nullable String unit, String description, ToDoubleFunction<T> value) {
    Gauge.builder(name, owner, o -> of(value, Double.NaN))
        .tags(tags)
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }

  private double of(ToDoubleFunction<T> value, double unknown) {
    T now = stats.get();
    return now == null ? unknown : value.applyAsDouble(now);
  }
}
