package io.everheap.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** Splits bytes at line feeds: lines that arrive together are returned together. */
final class LineSplitter {
  private static final int CHUNK = 64 << 10;
  private static final int MOST = 1 << 30;

  private final InputStream in;
  private final byte[] chunk = new byte[CHUNK];
  private final ByteArrayOutputStream rest = new ByteArrayOutputStream();
  private boolean ended;
  private long bytes;

  LineSplitter(InputStream in) {
    this.in = in;
  }

  /** How many bytes were read. */
  long bytes() {
    return bytes;
  }

  /**
   * Waits for lines.
   *
   * @return at least one without its line feed, or none at the end
   */
  List<byte[]> next() throws IOException {
    List<byte[]> lines = new ArrayList<>();
    while (lines.isEmpty() && !ended) {
      int read = in.read(chunk);
      if (read < 0) {
        ended = true;
        if (rest.size() > 0) {
          lines.add(rest.toByteArray());
          rest.reset();
        }
        break;
      }
      bytes += read;
      int start = 0;
      for (int i = 0; i < read; i++) {
        if (chunk[i] == '\n') {
          keep(start, i);
          lines.add(rest.toByteArray());
          rest.reset();
          start = i + 1;
        }
      }
      keep(start, read);
    }
    return lines;
  }

  private void keep(int from, int to) throws IOException {
    if (rest.size() + (to - from) > MOST) {
      throw new IOException("a line is longer than 1 GiB");
    }
    rest.write(chunk, from, to - from);
  }
}
