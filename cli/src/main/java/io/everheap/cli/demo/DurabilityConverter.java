package io.everheap.cli.demo;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Lets picocli read a {@link DurabilityOption}. */
final class DurabilityConverter implements ITypeConverter<DurabilityOption> {
  @Override
  public DurabilityOption convert(String value) {
    try {
      return DurabilityOption.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
