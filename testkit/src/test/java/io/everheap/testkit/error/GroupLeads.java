package io.everheap.testkit.error;

import io.everheap.error.ClosedException;
import io.everheap.error.StoppedException;
import io.everheap.log.GroupCommit;
import io.everheap.support.Limit;
import io.everheap.testkit.error.Strike.ProgramThread;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Threads that lead a group commit for which an action waits, each struck at another place of its
 * class, which is instrumented. Called by reflection.
 */
public final class GroupLeads {
  private static final GroupCommit.Refusals REFUSALS =
      new GroupCommit.Refusals("nowhere", ClosedException::heap, StoppedException::heap);

  private GroupLeads() {}

  /**
   * Threads that wait for a record; the threads that sync and watch the log come behind them.
   * Returns what is wrong, as texts.
   */
  public static List<String> await() throws InterruptedException {
    return everywhere(group -> group.await(1), GroupLeads::syncAndWatch);
  }

  private static void syncAndWatch(GroupCommit group) {
    try {
      group.await(1);
    } catch (StoppedException _) {
      // the action is told of it
    }
    group.recheck();
  }

  /** Threads that close it, and repeat that; returns what is wrong, as texts. */
  public static List<String> close() throws InterruptedException {
    return everywhere(GroupCommit::close, GroupCommit::close);
  }

  private static List<String> everywhere(Consumer<GroupCommit> lead, Consumer<GroupCommit> next)
      throws InterruptedException {
    return Strikes.everywhere("GroupCommit.", (strike, wrong) -> strike(lead, next, strike, wrong));
  }

  private static void strike(
      Consumer<GroupCommit> lead, Consumer<GroupCommit> next, Strike strike, List<String> wrong)
      throws InterruptedException {
    GroupCommit group = new GroupCommit(REFUSALS, 0, durable -> 1);
    AtomicBoolean told = new AtomicBoolean();
    group.whenDurable(1, failure -> told.set(true));
    ProgramThread leader =
        new ProgramThread(
            strike,
            () -> {
              strike.arm();
              try {
                lead.accept(group);
              } catch (Throwable t) {
                strike.disarm();
              }
            });
    leader.start();
    if (!leader.join(Limit.limit())) {
      wrong.add("leads for ever after " + strike.kind() + ": " + strike.struck());
    }
    strike.disarm();
    Limit.join(leader);
    next.accept(group);
    if (!told.get() && !isOfTheAction(strike)) {
      wrong.add("an action is never told after " + strike.kind() + ": " + strike.struck());
    }
  }

  /** An error that is not of the virtual machine, and comes from the action, is logged. */
  private static boolean isOfTheAction(Strike strike) {
    return strike.kind() == Kind.ERROR
        && ErrorPoints.place(strike.place()).where().endsWith("call of Consumer.accept");
  }
}
