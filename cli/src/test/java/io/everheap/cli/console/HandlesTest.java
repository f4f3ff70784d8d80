package io.everheap.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.cli.RefusedException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Names that the page is given. */
class HandlesTest {
  private static final String LONG = "x".repeat(1 << 20);

  private final Handles handles = new Handles();

  @Test
  void manyLongTextsAreNotAllKept() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      ids.add(handles.add(LONG));
    }
    assertThat(handles.get(ids.getLast(), String.class)).isSameAs(LONG);
    assertThatThrownBy(() -> handles.get(ids.getFirst(), String.class))
        .isInstanceOf(RefusedException.class);
    assertThat(ids.stream().filter(this::isKept)).hasSize(32);
  }

  @Test
  void aTextThatIsTooLongIsKeptUntilTheNext() {
    String text = LONG.repeat(33);
    String id = handles.add(text);
    assertThat(handles.get(id, String.class)).isSameAs(text);
    handles.add("short");
    assertThat(isKept(id)).isFalse();
  }

  private boolean isKept(String id) {
    try {
      return handles.get(id, String.class) != null;
    } catch (RefusedException e) {
      return false;
    }
  }
}
