package io.everheap.memory;

import java.util.OptionalLong;

/**
 * A text that identifies a process, so that another one can tell whether it still runs: its id, the
 * kernel's boot id and the namespace of process ids, and its start time. Stateless.
 */
public final class ProcessMark {
  private ProcessMark() {}

  /** The mark of this process. */
  public static String here() {
    return Owner.here("").text();
  }

  /** Whether the process certainly runs now, seen from this one. */
  public static boolean runs(String mark) {
    Owner owner = Owner.parse(mark);
    return owner != null && owner.runs();
  }

  /** The process id, if the mark has one. */
  public static OptionalLong pid(String mark) {
    Owner owner = Owner.parse(mark);
    return owner == null ? OptionalLong.empty() : OptionalLong.of(owner.pid());
  }
}
