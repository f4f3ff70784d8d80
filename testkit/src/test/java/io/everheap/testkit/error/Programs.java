package io.everheap.testkit.error;

import io.everheap.testkit.error.HeapPrograms.Setup;
import io.everheap.testkit.error.Strike.Victim;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The programs that errors strike, by name. */
final class Programs {
  private Programs() {}

  /** An explorer of a program on a setup. */
  static ErrorExplorer<?> explorer(Setup setup, String name) {
    Map<String, Program<?>> own = new LinkedHashMap<>(new HeapPrograms(setup).all());
    own.putAll(new JournalPrograms(setup).all());
    Map<String, Program<?>> background =
        new LinkedHashMap<>(new HeapPrograms(setup).inTheBackground());
    background.putAll(new JournalPrograms(setup).inTheBackground());
    return own.containsKey(name)
        ? new ErrorExplorer<>(own.get(name), Victim.PROGRAM)
        : new ErrorExplorer<>(Objects.requireNonNull(background.get(name), name), Victim.LIBRARY);
  }
}
