package io.everheap.samples.notes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.everheap.Heap;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions in Kotlin, with and without a result, with and without a checked exception. */
class TransactionFormsTest {
  @TempDir Path directory;

  @Test
  void allFormsCompileAndRun() {
    TransactionForms forms = TransactionForms.INSTANCE;
    try (Heap heap = Heap.open(directory.resolve("heap"))) {
      forms.withoutResult(heap);
      assertThat(forms.withResult(heap)).isEqualTo(1);
      assertThatIOException().isThrownBy(() -> forms.withoutResultFailing(heap));
      assertThatIOException().isThrownBy(() -> forms.withResultFailing(heap));
      assertThat(forms.withResult(heap)).isEqualTo(1);
    }
  }
}
