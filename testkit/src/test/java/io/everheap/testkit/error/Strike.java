package io.everheap.testkit.error;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run of a program, and the error that strikes one of them: at the n-th visit of
 * a place, while armed. Threads that the program starts belong to it as well.
 */
final class Strike extends ThreadGroup {
  private static final StackWalker STACK = StackWalker.getInstance();

  /** Whom it may strike. */
  enum Victim {
    /** The thread that runs the program. */
    PROGRAM,
    /** The threads that the library started. */
    LIBRARY
  }

  private final Victim victim;
  private final int place;
  private final int visit;
  private final Kind kind;
  private final @Nullable AtomicIntegerArray visits;
  private int seen; // of the place, by victims; guarded by this
  private volatile boolean armed;
  private volatile @Nullable Error struck;
  private volatile @Nullable Thread struckThread;
  private volatile long depth;

  /** Strikes at a visit of a place, the first being 1. */
  Strike(Victim victim, int place, int visit, Kind kind) {
    super("struck");
    this.victim = victim;
    this.place = place;
    this.visit = visit;
    this.kind = kind;
    this.visits = null;
  }

  /** Strikes nowhere, and counts the visits of each place. */
  Strike(Victim victim, AtomicIntegerArray visits) {
    super("counted");
    this.victim = victim;
    this.place = -1;
    this.visit = 0;
    this.kind = Kind.ERROR;
    this.visits = visits;
  }

  boolean isArmed() {
    return armed;
  }

  void arm() {
    armed = true;
  }

  /** Ends the trouble: the stack was unwound, or there is memory again. */
  void disarm() {
    armed = false;
  }

  /** What struck, or null. */
  @Nullable Error struck() {
    return struck;
  }

  int place() {
    return place;
  }

  Kind kind() {
    return kind;
  }

  void at(int at) {
    boolean program = Thread.currentThread() instanceof ProgramThread;
    if (struck != null) {
      goOn(at);
    } else if (program == (victim == Victim.PROGRAM)) {
      if (visits != null) {
        visits.incrementAndGet(at);
      } else if (at == place && isTheVisit()) {
        strike(at);
      }
    }
  }

  private synchronized boolean isTheVisit() {
    return ++seen == visit;
  }

  private void strike(int at) {
    struckThread = Thread.currentThread();
    depth = kind == Kind.OVERFLOW_BELOW ? frames() : 0;
    Error error = kind.make(ErrorPoints.place(at).where());
    struck = error;
    throw error;
  }

  @SuppressWarnings("ReferenceEquality") // a thread is equal to nothing but itself
  private void goOn(int at) {
    if (kind.lasts()
        && Thread.currentThread() == struckThread
        && kind.strikesAt(ErrorPoints.place(at))
        && (kind != Kind.OVERFLOW_BELOW || frames() >= depth)) {
      throw kind.make("still: " + ErrorPoints.place(at).where());
    }
  }

  private static long frames() {
    return STACK.walk(frames -> frames.count());
  }

  /** The thread that runs the program. */
  static final class ProgramThread extends Thread {
    ProgramThread(Strike group, Runnable program) {
      super(group, program, "program");
      setDaemon(true);
    }

    /** Tells who does it: nothing should. */
    @Override
    public void interrupt() {
      System.out.println(
          "interrupted: " + java.util.List.of(Thread.currentThread().getStackTrace()));
      super.interrupt();
    }
  }
}
