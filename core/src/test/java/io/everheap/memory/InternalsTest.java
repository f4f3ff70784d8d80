package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/** Objects show their internals to those who know their type. */
class InternalsTest {
  private static final class Shown {
    static {
      Internals.show(Shown.class, shown -> shown.text);
    }

    private final String text;

    Shown(String text) {
      this.text = text;
    }
  }

  @Test
  void eachObjectShowsWhatItHas() {
    assertThat(Internals.of(new Shown("one"), String.class)).isEqualTo("one");
    assertThat(Internals.of(new Shown("two"), CharSequence.class)).isEqualTo("two");
  }

  @Test
  void anotherTypeIsRefused() {
    assertThatExceptionOfType(ClassCastException.class)
        .isThrownBy(() -> Internals.of(new Shown("one"), Integer.class));
  }

  @Test
  void anObjectThatShowsNothingIsRefused() {
    assertThatExceptionOfType(NullPointerException.class)
        .isThrownBy(() -> Internals.of("text", String.class))
        .withMessage("class java.lang.String shows nothing");
  }
}
