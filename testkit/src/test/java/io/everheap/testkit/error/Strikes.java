package io.everheap.testkit.error;

import io.everheap.testkit.error.ErrorPoints.Place;
import io.everheap.testkit.error.Strike.Victim;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/** Lets errors of each kind strike a program at each place of one class of the library. */
final class Strikes {
  private static final int LEAST = 40;

  /** Runs a program, and adds what is wrong. */
  interface Attempt {
    void run(Strike strike, List<String> wrong) throws InterruptedException;
  }

  private Strikes() {}

  /** Strikes at the first two visits of each place; returns what is wrong, as texts. */
  static List<String> everywhere(String code, Attempt attempt) throws InterruptedException {
    List<String> wrong = new ArrayList<>();
    AtomicIntegerArray visits = new AtomicIntegerArray(ErrorExplorer.MOST_PLACES);
    attempt.run(new Strike(Victim.PROGRAM, visits), wrong);
    int struck = 0;
    for (int place = 0; place < ErrorPoints.count(); place++) {
      Place at = ErrorPoints.place(place);
      for (Kind kind : Kind.values()) {
        if (at.where().startsWith(code) && kind.strikesAt(at)) {
          for (int visit = 1; visit <= Math.min(2, visits.get(place)); visit++) {
            Strike strike = new Strike(Victim.PROGRAM, place, visit, kind);
            attempt.run(strike, wrong);
            struck += strike.struck() != null ? 1 : 0;
          }
        }
      }
    }
    if (struck < LEAST) {
      wrong.add("only " + struck + " errors struck");
    }
    return wrong;
  }
}
