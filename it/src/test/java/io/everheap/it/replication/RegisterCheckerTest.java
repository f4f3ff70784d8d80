package io.everheap.it.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The checker finds what is wrong, and nothing else. */
class RegisterCheckerTest {
  private static Operation read(long found, long start, long end) {
    return new Operation(Operation.Kind.READ, 0, 0, 0, found, start, end);
  }

  private static Operation write(long value, long found, long start, long end) {
    return new Operation(Operation.Kind.WRITE, 0, value, 0, found, start, end);
  }

  private static Operation compareAndSet(
      long expected, long value, long found, long start, long end) {
    return new Operation(Operation.Kind.COMPARE_AND_SET, 0, value, expected, found, start, end);
  }

  @Test
  void operationsOneAfterTheOtherAreExplained() {
    assertThat(
            RegisterChecker.violation(
                0,
                List.of(
                    read(0, 0, 1),
                    write(1, 0, 2, 3),
                    compareAndSet(1, 2, 1, 4, 5),
                    compareAndSet(1, 3, 2, 6, 7),
                    read(2, 8, 9))))
        .isEmpty();
  }

  @Test
  void aReadOfAnOverwrittenValueIsFound() {
    Operation stale = read(1, 6, 7);
    assertThat(
            RegisterChecker.violation(
                0, List.of(write(1, 0, 0, 1), write(2, 1, 2, 3), read(2, 4, 5), stale)))
        .contains(stale);
  }

  @Test
  void anAcknowledgedWriteThatIsLostIsFound() {
    Operation late = read(0, 4, 5);
    assertThat(RegisterChecker.violation(0, List.of(write(1, 0, 0, 1), late))).contains(late);
  }

  @Test
  void aValueThatWasSeenAndIsGoneIsFound() {
    Operation gone = read(0, 6, 7);
    assertThat(
            RegisterChecker.violation(
                0, List.of(write(1, 0, 0, Operation.NEVER), read(1, 2, 3), gone)))
        .contains(gone);
  }

  @Test
  void anOperationThatNeverReturnedMayHappenLateOrNever() {
    Operation lost = write(1, 0, 0, Operation.NEVER);
    assertThat(RegisterChecker.violation(0, List.of(lost, read(0, 2, 3)))).isEmpty();
    assertThat(RegisterChecker.violation(0, List.of(lost, read(0, 2, 3), read(1, 4, 5)))).isEmpty();
    assertThat(
            RegisterChecker.violation(
                0, List.of(compareAndSet(7, 1, 0, 0, Operation.NEVER), read(1, 2, 3))))
        .isPresent();
  }

  @Test
  void operationsAtOneTimeMayHappenInAnyOrder() {
    assertThat(
            RegisterChecker.violation(
                0, List.of(write(1, 2, 0, 9), write(2, 0, 0, 9), read(1, 10, 11))))
        .isEmpty();
    assertThat(
            RegisterChecker.violation(
                0, List.of(write(1, 2, 0, 9), write(2, 1, 0, 9), read(1, 10, 11))))
        .isPresent();
  }

  /** Clients whose operations overlap: true histories are explained, a changed result is not. */
  @Test
  void randomHistoriesAreTrueUntilAResultIsChanged() {
    for (int seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Operation> history = new ArrayList<>();
      long state = 0;
      for (int i = 0; i < 200; i++) { // the moments of the operations are 10, 20, 30, ...
        long start = 10L * i + 10 - random.nextInt(30);
        long end = 10L * i + 10 + random.nextInt(30);
        boolean writes = random.nextBoolean();
        history.add(writes ? write(i + 1, state, start, end) : read(state, start, end));
        state = writes ? i + 1 : state;
      }
      assertThat(RegisterChecker.violation(0, history)).isEmpty();

      Operation last = history.getLast();
      history.set(
          history.size() - 1,
          new Operation(last.kind(), 0, last.value(), 0, 1_000_000, last.start(), last.end()));
      assertThat(RegisterChecker.violation(0, history)).isPresent();
    }
  }
}
