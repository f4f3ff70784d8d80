package io.everheap.support;

import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/** Gives each jqwik property {@link Seeds#seed()}, unless the property has a fixed seed. */
public final class SeedHook implements AroundPropertyHook {
  /** Made by jqwik, which finds this class in {@code META-INF/services}. */
  public SeedHook() {}

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    if (context.attributes().seed().isEmpty()) {
      context.attributes().setSeed(Long.toString(Seeds.seed()));
    }
    return property.execute();
  }
}
