package io.everheap.testkit.error;

import io.everheap.testkit.ChangedClasses;
import java.util.function.UnaryOperator;

/** Instruments the library. Woven classes and those that the library makes itself are left. */
final class InstrumentingLoader extends ChangedClasses {
  private final UnaryOperator<byte[]>
      instrumenter; // its places are those of the classes loaded here

  @SuppressWarnings("unchecked")
  InstrumentingLoader() throws ReflectiveOperationException {
    instrumenter =
        (UnaryOperator<byte[]>)
            loadClass(Instrumenter.class.getName()).getMethod("instrumenter").invoke(null);
  }

  @Override
  protected byte[] change(String name, byte[] bytes) {
    return isLibrary(name) ? instrumenter.apply(bytes) : bytes;
  }
}
