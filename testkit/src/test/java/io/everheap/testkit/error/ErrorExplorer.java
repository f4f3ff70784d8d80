package io.everheap.testkit.error;

import io.everheap.support.Limit;
import io.everheap.testkit.error.Strike.ProgramThread;
import io.everheap.testkit.error.Strike.Victim;
import io.everheap.testkit.machine.Chooser;
import io.everheap.testkit.machine.CrashImage;
import io.everheap.testkit.machine.SimulatedMedium;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program again and again, and lets an error strike at another place each time. Afterwards
 * it works and is right, the step that was struck done in whole or not at all; or it is poisoned
 * and says why. No lock is kept; and whatever crash comes, all that was acknowledged before and
 * after the error is there when it is opened again.
 */
final class ErrorExplorer<S> {
  private static final Duration BOUND =
      Limit.of(Duration.ofSeconds(Long.getLong("everheap.errors.seconds", 60)));

  /** At least as many as the instrumented classes have. */
  static final int MOST_PLACES = 1 << 17;

  private final Program<S> program;
  private final Victim victim;
  private final List<Object> contents = new ArrayList<>(); // before each step, and at the end
  private final List<Set<Object>> partial = new ArrayList<>(); // after each step, if parts failed

  ErrorExplorer(Program<S> program, Victim victim) {
    this.program = program;
    this.victim = victim;
  }

  /** One run to be made. */
  record Case(int place, int visit, Kind kind) {
    @Override
    public String toString() {
      return kind + " at " + ErrorPoints.place(place).where() + ", visit " + visit;
    }
  }

  /** What became of one run. */
  record Outcome(Case of, boolean struck, boolean poisoned, @Nullable String failure) {}

  /** Runs the program without an error, and returns the runs that can be made with one. */
  List<Case> cases() throws Exception {
    inProgram(new Strike(victim, new AtomicIntegerArray(MOST_PLACES)), this::learn); // classes load
    var visits = new AtomicIntegerArray(MOST_PLACES);
    contents.clear();
    partial.clear();
    Strike counted = new Strike(victim, visits);
    inProgram(counted, this::learn);
    List<Case> cases = new ArrayList<>();
    for (int place = 0; place < ErrorPoints.count(); place++) {
      for (Kind kind : Kind.values()) {
        if (visits.get(place) > 0 && kind.strikesAt(ErrorPoints.place(place))) {
          cases.add(new Case(place, 1, kind));
          if (visits.get(place) > 1) {
            cases.add(new Case(place, visits.get(place), kind));
          }
        }
      }
    }
    return cases;
  }

  private @Nullable Void learn(Strike strike) throws Exception {
    SimulatedMedium medium = program.medium();
    armed(strike, program.strikesOpening());
    S subject = program.open(medium);
    strike.disarm();
    contents.add(program.expected(subject, 0));
    for (int step = 0; step < program.steps(); step++) {
      partial.add(new HashSet<>());
      strike.arm();
      program.step(subject, step, -1);
      strike.disarm();
      contents.add(program.expected(subject, step + 1));
    }
    strike.arm();
    program.close(subject);
    strike.disarm();
    for (int step = 0; step < program.steps(); step++) {
      for (int skipped = 0; skipped < program.skippable(step); skipped++) {
        partial.get(step).add(without(step, skipped));
      }
    }
    return null;
  }

  /** The contents after a step of which one operation failed. */
  private Object without(int step, int skipped) throws Exception {
    S subject = program.open(program.medium());
    try {
      for (int s = 0; s < step; s++) {
        program.step(subject, s, -1);
      }
      program.step(subject, step, skipped);
      return program.contents(subject);
    } finally {
      program.close(subject);
    }
  }

  private static void armed(Strike strike, boolean on) {
    if (on) {
      strike.arm();
    }
  }

  /** Makes one run. */
  Outcome run(Case of) {
    Strike strike = new Strike(victim, of.place, of.visit, of.kind);
    Run run = new Run(strike);
    String failure = null;
    try {
      inProgram(strike, s -> run.all());
    } catch (Throwable t) {
      failure = describe(t);
    }
    return new Outcome(of, strike.struck() != null, run.poisoned, failure);
  }

  private interface InProgram {
    @Nullable Object run(Strike strike) throws Exception;
  }

  private static void inProgram(Strike strike, InProgram body) throws Exception {
    Throwable[] failure = new Throwable[1];
    Thread thread =
        new ProgramThread(
            strike,
            () -> {
              try {
                body.run(strike);
              } catch (Throwable t) {
                failure[0] = t;
              }
            });
    thread.start();
    if (!thread.join(BOUND.multipliedBy(4).plusSeconds(20))) {
      throw new AssertionError("the program hangs: " + stack(thread));
    }
    if (failure[0] instanceof Exception e) {
      throw e;
    } else if (failure[0] != null) {
      throw (Error) failure[0];
    }
  }

  private static String stack(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .limit(14)
        .map(frame -> "\n      at " + frame)
        .reduce("", String::concat);
  }

  private static String describe(Throwable t) {
    var text = new StringWriter();
    t.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  /** One run. */
  private final class Run {
    private final Strike strike;
    private final List<Object> expected = new ArrayList<>(contents);
    private boolean surveyed;
    private volatile boolean poisoned;

    Run(Strike strike) {
      this.strike = strike;
    }

    @Nullable Object all() {
      SimulatedMedium medium = program.medium();
      S subject;
      armed(strike, program.strikesOpening());
      try {
        subject = program.open(medium);
      } catch (Throwable t) {
        strike.disarm();
        requireStruck(t);
        if (!strike.kind().lasts()) {
          requireReleased(medium, t); // else nothing can be called that would release it
        }
        check(medium.image(), "after the opening that failed", Set.of(expected.getFirst()), false);
        return null;
      }
      strike.disarm();
      int done = steps(subject, medium);
      if (done == program.steps() && !poisoned) {
        finish(subject, medium);
      }
      close(subject, medium, done);
      return null;
    }

    /** Returns how many steps are done. */
    private int steps(S subject, SimulatedMedium medium) {
      for (int step = 0; step < program.steps(); step++) {
        boolean before = strike.struck() != null;
        try {
          armed(strike, !before);
          program.step(subject, step, -1);
          strike.disarm();
          if (!before && strike.struck() != null) {
            survey(subject, step, null);
          }
        } catch (Throwable t) {
          strike.disarm();
          requireStruck(t);
          if (!before) {
            check(medium.image(), "at the error", around(step), false);
          }
          if (survey(subject, step, t)) {
            if (before) {
              throw new AssertionError("works, but not again: " + t, t);
            }
            step--; // it was rolled back: once more
          }
        }
        if (poisoned) {
          check(medium.image(), "poisoned", around(step), program.sync());
          if (program.servesPoisoned()) {
            requirePossible(program.contents(subject), "poisoned", around(step));
          }
          return step;
        }
      }
      return program.steps();
    }

    /** Finds out what the error left; true if the step was rolled back. */
    private boolean survey(S subject, int step, @Nullable Throwable thrown) {
      surveyed = true;
      // Its own thread notices at once what it left behind; others after a while, so mostly not
      // first.
      if (strike.place() % 16 == 0 && !writes(subject, true, thrown)) {
        return false;
      }
      if (!writes(subject, false, thrown) || !writes(subject, true, thrown)) {
        return false;
      }
      Throwable refusal;
      Object[] found = new Object[1];
      refusal = inAnotherThread(() -> found[0] = program.contents(subject));
      if (refusal != null) {
        poisoned(subject, refusal, thrown);
        return false;
      }
      if (program.agree(found[0], expected.get(step)) && thrown != null) {
        return true;
      }
      if (partial.get(step).contains(found[0])) {
        expected.set(step + 1, found[0]); // of the last step only
      }
      if (!program.agree(found[0], expected.get(step + 1))) {
        throw new AssertionError(
            String.format(
                Locale.ROOT,
                "neither rolled back nor committed: %s%n  before %s%n  after %s",
                found[0],
                expected.get(step),
                expected.get(step + 1)),
            thrown);
      }
      return false;
    }

    /** Writes something; false if it is refused for good. */
    private boolean writes(S subject, boolean elsewhere, @Nullable Throwable thrown) {
      Runnable write = () -> program.write(subject);
      Throwable refusal = elsewhere ? inAnotherThread(write) : trial(write);
      boolean works = refusal == null && program.isOpen(subject);
      if (!works) {
        poisoned(subject, refusal, thrown);
      }
      return works;
    }

    private void poisoned(S subject, @Nullable Throwable refusal, @Nullable Throwable thrown) {
      long bound = System.nanoTime() + BOUND.toNanos();
      while (program.isOpen(subject) && System.nanoTime() - bound < 0) {
        Thread.onSpinWait(); // a thread in the background may be about to say it everywhere
      }
      if (program.isOpen(subject)) {
        throw new AssertionError("open, and refuses: " + refusal, with(thrown, refusal));
      }
      List<Runnable> uses = new ArrayList<>(List.of(() -> program.write(subject)));
      if (!program.servesPoisoned()) {
        uses.add(() -> program.contents(subject));
      }
      for (Runnable use : uses) {
        Throwable again = inAnotherThread(use);
        if (again == null || !program.isPoison(again)) {
          throw new AssertionError("poisoned, and answers with " + again, with(thrown, again));
        }
      }
      poisoned = true;
    }

    @SuppressWarnings("ReferenceEquality") // nothing can suppress itself
    private static @Nullable Throwable with(@Nullable Throwable thrown, @Nullable Throwable next) {
      if (thrown != null && next != null && thrown != next) {
        thrown.addSuppressed(next);
      }
      return thrown != null ? thrown : next;
    }

    private void finish(S subject, SimulatedMedium medium) {
      try {
        requireContents(subject, medium);
      } catch (Throwable t) {
        if (surveyed || strike.struck() == null || !program.isPoison(t)) {
          throw t;
        }
        poisoned = true; // the error struck in the background, at the end of the last step
        check(medium.image(), "poisoned", around(program.steps()), program.sync());
      }
    }

    private void requireContents(S subject, SimulatedMedium medium) {
      Object end = program.contents(subject);
      Object last = expected.getLast();
      if (!program.agree(end, last)) {
        throw new AssertionError(
            String.format(Locale.ROOT, "at the end %s in place of %s", end, last));
      }
      program.verify(subject);
      program.makeDurable(subject);
      check(medium.image(), "at the end", Set.of(last), true);
    }

    private void close(S subject, SimulatedMedium medium, int done) {
      armed(strike, strike.struck() == null);
      Throwable failure = null;
      try {
        program.close(subject);
        strike.disarm();
      } catch (Throwable t) {
        strike.disarm();
        requireStruck(t);
        failure = t;
        Throwable again = trial(() -> program.close(subject));
        if (again != null && !program.isPoison(again)) {
          throw new AssertionError("closing again fails: " + again, with(t, again));
        }
      }
      requireReleased(medium, failure);
      Set<Object> possible = poisoned ? around(done) : Set.of(expected.getLast());
      check(medium.image(), "closed", possible, program.sync() || (!poisoned && failure == null));
    }

    private void requireReleased(SimulatedMedium medium, @Nullable Throwable thrown) {
      if (trial(() -> medium.exists("heap")) == null) {
        throw new AssertionError("the medium is not released", thrown);
      }
      for (Thread thread : threads()) {
        if (thread.getName().startsWith("everheap")) {
          try {
            if (!thread.join(BOUND)) {
              throw new AssertionError("a thread goes on: " + thread + stack(thread), thrown);
            }
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        }
      }
    }

    private List<Thread> threads() {
      Thread[] threads = new Thread[100];
      int count = strike.enumerate(threads);
      return Arrays.asList(threads).subList(0, count);
    }

    private Set<Object> around(int step) {
      Set<Object> around = new HashSet<>();
      around.add(expected.get(step));
      if (step < program.steps()) {
        around.add(expected.get(step + 1));
        around.addAll(partial.get(step));
      }
      return around;
    }

    /** Opens what a crash leaves. */
    private void check(CrashImage image, String when, Set<Object> possible, boolean durable) {
      reopen(image.processKill(), "killed " + when, possible);
      if (durable || program.sync()) {
        reopen(image.powerLoss(Chooser.none()), "power lost " + when, possible);
      }
    }

    private void reopen(SimulatedMedium after, String how, Set<Object> possible) {
      S subject;
      try {
        subject = program.open(after);
      } catch (Throwable t) {
        throw new AssertionError(how + ": does not open: " + t, with(strike.struck(), t));
      }
      Object found = program.contents(subject);
      program.verify(subject);
      program.close(subject);
      requirePossible(found, how, possible);
    }

    private void requirePossible(Object found, String how, Set<Object> possible) {
      if (possible.stream().noneMatch(one -> program.agree(found, one))) {
        throw new AssertionError(
            String.format(Locale.ROOT, "%s: found %s%n  in place of %s", how, found, possible),
            strike.struck());
      }
    }

    private void requireStruck(Throwable t) {
      if (strike.struck() == null) {
        throw new AssertionError("failed without an error: " + t, t);
      }
    }

    private static @Nullable Throwable trial(Runnable action) {
      try {
        action.run();
        return null;
      } catch (Throwable t) {
        return t;
      }
    }

    private static @Nullable Throwable inAnotherThread(Runnable action) {
      Throwable[] thrown = new Throwable[1];
      Thread thread = Thread.ofPlatform().daemon().start(() -> thrown[0] = trial(action));
      boolean ended = false;
      while (!ended) {
        try {
          if (!thread.join(BOUND)) {
            throw new AssertionError("another thread hangs: " + stack(thread));
          }
          ended = true;
        } catch (InterruptedException e) {
          System.out.println("the program was interrupted: " + e); // it may be
        }
      }
      return thrown[0];
    }
  }
}
