package io.everheap.benchmarks.journal;

import java.io.IOException;
import java.nio.file.Path;

/** libpmemlog through JNI. */
final class PmemLogLoop implements AppendLoop {
  private final long log;

  @SuppressWarnings("restricted") // the library was just made by this program
  PmemLogLoop(Path directory, long records) throws IOException {
    System.load(PmemLogBuild.library(directory).toString());
    log = PmemLogJni.open(directory.resolve("jni.log").toString(), DaxAppendPart.logBytes(records));
    if (log == 0) {
      throw new IOException("libpmemlog cannot make a log in " + directory);
    }
  }

  @Override
  public void prepare() {
    PmemLogJni.rewind(log);
  }

  @Override
  public void append(long records) throws IOException {
    for (long i = 0; i < records; i++) {
      if (PmemLogJni.append(log, Text.record(i)) != 0) {
        throw new IOException("libpmemlog failed to append record " + i);
      }
    }
  }

  @Override
  public void close() {
    PmemLogJni.close(log);
  }
}
