package io.everheap.testkit;

/** Runs something in another thread, once, when a file call returns for which it is time. */
final class Once implements HookedMedium.Hook {
  private final String call;
  private final String file;
  private final long below;
  private final Runnable action;
  private int calls = -1;

  Once(String call, String file, long below, Runnable action) {
    this.call = call;
    this.file = file;
    this.below = below;
    this.action = action;
  }

  /** After the nth such call from now on. */
  void at(int nth) {
    calls = nth;
  }

  @Override
  public void after(String called, String name, long position) {
    if (calls > 0 && called.equals(call) && name.equals(file) && position < below && --calls == 0) {
      Threads.run(action);
    }
  }
}
