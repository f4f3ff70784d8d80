package io.everheap.benchmarks.journal;

/** The calls of libpmemlog through JNI; {@code pmemlog.c} has the other side. */
final class PmemLogJni {
  private PmemLogJni() {}

  /** Opens or makes a log; 0 if that fails. */
  static native long open(String path, long size);

  /** Appends a record with its length before it; 0 if it worked. */
  static native int append(long log, byte[] text);

  static native void rewind(long log);

  static native void close(long log);
}
