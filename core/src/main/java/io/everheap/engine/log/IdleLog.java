package io.everheap.engine.log;

/** The log of a heap that is only read: it stands where reading ended and takes no record. */
final class IdleLog extends ImmediateLog {
  IdleLog(String location, long end, int chain) {
    super(location, new PartSealer(0, chain), end);
  }

  private static IllegalStateException readOnly() {
    return new IllegalStateException("the log is only read");
  }

  @Override
  public void reserve(long bytes) {
    throw readOnly();
  }

  @Override
  int place(int bytes) {
    throw readOnly();
  }

  @Override
  long seal(int length, int flags) {
    throw readOnly();
  }

  @Override
  public long limit() {
    return 0;
  }
}
