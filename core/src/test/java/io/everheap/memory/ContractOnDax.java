package io.everheap.memory;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract on persistent memory. Its name is none that the build looks for: {@code ./everheap
 * test --power} runs it where there is some.
 */
class ContractOnDax extends MediumContract {
  @TempDir Path temp;

  @Override
  Medium open() {
    return DaxMedium.open(temp.resolve("contract"), false, true);
  }
}
