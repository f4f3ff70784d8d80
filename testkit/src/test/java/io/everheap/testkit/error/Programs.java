package io.everheap.testkit.error;

import io.everheap.testkit.error.HeapPrograms.Setup;
import io.everheap.testkit.error.Strike.Victim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The programs that errors strike, by name. */
final class Programs {
  private Programs() {}

  /** All names. */
  static List<String> names() {
    List<String> names = new ArrayList<>(inTheirOwnThread(Setup.FILE_SYNC).keySet());
    names.addAll(inTheBackground(Setup.FILE_SYNC).keySet());
    return names;
  }

  /** An explorer of a program on a setup. */
  static ErrorExplorer<?> explorer(Setup setup, String name) {
    Program<?> own = inTheirOwnThread(setup).get(name);
    if (own != null) {
      return new ErrorExplorer<>(own, Victim.PROGRAM);
    }
    Program<?> background = inTheBackground(setup).get(name);
    if (background == null) {
      throw new IllegalArgumentException("no program " + name);
    }
    return new ErrorExplorer<>(background, Victim.LIBRARY);
  }

  private static Map<String, Program<?>> inTheirOwnThread(Setup setup) {
    Map<String, Program<?>> all = new LinkedHashMap<>(new HeapPrograms(setup).all());
    all.putAll(new JournalPrograms(setup).all());
    all.putAll(new CachePrograms(setup).all());
    return all;
  }

  private static Map<String, Program<?>> inTheBackground(Setup setup) {
    Map<String, Program<?>> all = new LinkedHashMap<>(new HeapPrograms(setup).inTheBackground());
    all.putAll(new JournalPrograms(setup).inTheBackground());
    all.putAll(new CachePrograms(setup).inTheBackground());
    return all;
  }
}
