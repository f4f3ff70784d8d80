package io.everheap.error;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class EverheapExceptionTest {
  private static final class Sample extends EverheapException {
    Sample(String code, String message) {
      super(code, message);
    }

    Sample(String code, String message, Throwable cause) {
      super(code, message, cause);
    }
  }

  @Test
  void carriesItsCodeAndMessage() {
    var exception = new Sample("SAMPLE", "sample at offset 42");

    assertThat(exception.code()).isEqualTo("SAMPLE");
    assertThat(exception).hasMessage("sample at offset 42 (SAMPLE)").hasNoCause();
  }

  @Test
  void carriesItsCause() {
    var cause = new IOException("disk");

    assertThat(new Sample("SAMPLE", "sample", cause)).hasCause(cause);
  }

  @Test
  void needsACode() {
    assertThatNullPointerException().isThrownBy(() -> new Sample(null, "sample"));
  }
}
