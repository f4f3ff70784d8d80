package io.everheap.cli;

import io.everheap.error.EverheapException;
import io.everheap.error.LockedException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Reports a failure in one line with the error's code. A stack trace is shown on request, and for
 * unexpected errors.
 */
final class Failures implements IExecutionExceptionHandler {
  private final BooleanSupplier stacktrace;

  Failures(BooleanSupplier stacktrace) {
    this.stacktrace = stacktrace;
  }

  @Override
  public int handleExecutionException(
      Exception failure, CommandLine command, ParseResult arguments) {
    PrintWriter err = command.getErr();
    err.println("everheap: " + describe(failure));
    if (failure instanceof LockedException) {
      err.println(
          "everheap: info, verify, dump and salvage read heaps that no program has open for writing");
    }
    if (stacktrace.getAsBoolean() || !foreseen(failure)) {
      failure.printStackTrace(err);
    }
    err.flush();
    return command.getCommandSpec().exitCodeOnExecutionException();
  }

  private static String describe(Exception failure) {
    return switch (failure) {
      case EverheapException e -> String.valueOf(e.getMessage());
      case NoSuchRootException e -> String.valueOf(e.getMessage());
      case RefusedException e -> String.valueOf(e.getMessage());
      default -> failure.toString();
    };
  }

  private static boolean foreseen(Exception failure) {
    return failure instanceof EverheapException
        || failure instanceof NoSuchRootException
        || failure instanceof RefusedException
        || failure instanceof IOException
        || failure instanceof UncheckedIOException;
  }
}
