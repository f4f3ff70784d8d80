package io.everheap.cli.terminal;

import java.io.Console;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Output in which control characters are shown as escapes of Java: names of roots, of peers and
 * texts of damaged files must not send commands to the terminal. Line ends and tabs pass. A command
 * that controls the terminal itself uses {@link #control}.
 */
public final class PlainOutput extends PrintWriter {
  private final Plain plain;

  /** Prints to a stream in its charset. */
  public PlainOutput(PrintStream stream) {
    this(new Plain(new PrintWriter(stream, true, stream.charset())));
  }

  private PlainOutput(Plain plain) {
    super(plain, true);
    this.plain = plain;
  }

  /** Output to a terminal in this way, and to a file or a pipe without a change. */
  public static PrintWriter of(PrintStream stream) {
    return isTerminal() ? new PlainOutput(stream) : new PrintWriter(stream, true, stream.charset());
  }

  /** Whether the output is a terminal, also if the input is none. */
  @SuppressWarnings("SystemConsoleNull") // it still is null where there is no console
  private static boolean isTerminal() {
    Console console = System.console();
    if (console != null && console.isTerminal()) {
      return true;
    }
    try {
      String output = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return output.startsWith("/dev/pts/") || output.startsWith("/dev/tty");
    } catch (IOException | RuntimeException e) {
      return false; // not Linux
    }
  }

  /** Prints a sequence that controls the terminal, also if the writer lets no other one pass. */
  public static void control(PrintWriter out, String sequence) {
    if (out instanceof PlainOutput output) {
      output.flush();
      output.plain.raw(sequence);
    } else {
      out.print(sequence);
    }
  }

  @Override
  public boolean checkError() {
    return super.checkError() || plain.target.checkError();
  }

  private static final class Plain extends FilterWriter {
    private final PrintWriter target;

    Plain(PrintWriter target) {
      super(target);
      this.target = target;
    }

    void raw(String sequence) {
      target.print(sequence);
      target.flush();
    }

    @Override
    public void write(int c) throws IOException {
      if (isPlain((char) c)) {
        out.write(c);
      } else {
        out.write("\\u");
        String digits = Integer.toHexString(c & Character.MAX_VALUE);
        out.write("0".repeat(4 - digits.length()) + digits);
      }
    }

    @Override
    public void write(char[] text, int from, int length) throws IOException {
      int done = from;
      for (int i = from; i < from + length; i++) {
        boolean endsLine =
            text[i] == '\r' && i + 1 < from + length && text[i + 1] == '\n'; // of CSV
        if (!endsLine && !isPlain(text[i])) {
          out.write(text, done, i - done);
          write(text[i]);
          done = i + 1;
        }
      }
      out.write(text, done, from + length - done);
    }

    @Override
    public void write(String text, int from, int length) throws IOException {
      write(text.substring(from, from + length).toCharArray(), 0, length);
    }

    /** Not a control character, nor one that changes the direction of the text after it. */
    private static boolean isPlain(char c) {
      return c == '\n' || c == '\t' || !(Character.isISOControl(c) || isDirection(c));
    }

    private static boolean isDirection(char c) {
      return (c >= '\u202a' && c <= '\u202e') || (c >= '\u2066' && c <= '\u2069');
    }
  }
}
