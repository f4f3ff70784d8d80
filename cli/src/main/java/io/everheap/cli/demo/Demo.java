package io.everheap.cli.demo;

import java.io.IOException;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Runs the demonstration: starts the worker, kills it at a random moment, opens the heap that it
 * left, checks every row, and repeats that. Opening and checking happen in this process, which
 * knows only the acknowledged transfers.
 */
final class Demo {
  private static final long TICK_MILLIS = 100;

  /** The share of the length, divided by the kills, that each run gets at least. */
  private static final double SHORTEST_RUN = 0.125;

  /** The expected time of the next check relative to the last; a check grows with the history. */
  private static final double CHECK_GROWTH = 1.5;

  /** The share of the length reserved for the first check. */
  private static final double FIRST_CHECK = 0.03;

  private final DemoPlan plan;
  private final Progress progress;
  private final SplittableRandom random;
  private final Acknowledged acknowledged = new Acknowledged();
  private final DemoResult result = new DemoResult();
  private final long began = System.nanoTime();

  private volatile long loaded;
  private volatile long readyAt;
  private long checkNanos;
  private long lastTick = began;
  private long lastCount;
  private long perSecond;

  Demo(DemoPlan plan, Progress progress) {
    this.plan = plan;
    this.progress = progress;
    random = new SplittableRandom(plan.seed());
    checkNanos = (long) (plan.length().toNanos() * FIRST_CHECK);
  }

  /**
   * Kills and checks as often as planned, or until the first check that fails.
   *
   * @throws IOException if the worker could not be started, or ended without being killed
   * @throws InterruptedException if the worker was ended from outside, as control-C does
   */
  DemoResult run() throws IOException, InterruptedException {
    for (int kill = 1; kill <= plan.kills(); kill++) {
      long runNanos = workAndKill(kill);
      DemoResult.Kill done = openAndCheck(kill, runNanos);
      result.add(done);
      report(done);
      if (!done.check().passed()) {
        break;
      }
    }
    progress.clear();
    return result;
  }

  /** Runs the worker, kills it, and returns how long it made transfers, in nanoseconds. */
  private long workAndKill(int kill) throws IOException, InterruptedException {
    long start = System.nanoTime();
    var order =
        new BankWorker.Order(
            plan.directory(),
            plan.layout().scale(),
            plan.threads(),
            plan.durability(),
            kill - 1,
            plan.seed());
    readyAt = 0;
    try (var worker = WorkerProcess.start(order, this::receive)) {
      awaitReady(worker, kill);
      long ready = readyAt;
      // The kill may come anywhere in the second half of this run's share of the time.
      double share = share(kill, kill == 1 ? ready : start);
      long end = ready + (long) (share * random.nextDouble(0.5, 1));
      while (System.nanoTime() < end || !eachThreadWorked(kill - 1)) {
        tick(worker, String.format(Locale.ROOT, "until kill %d/%d", kill, plan.kills()));
      }
      worker.kill();
      return System.nanoTime() - ready;
    }
  }

  /** A run that is short, after a long loading, may not have brought every thread its turn yet. */
  private boolean eachThreadWorked(int run) {
    return IntStream.range(0, plan.threads())
        .allMatch(thread -> acknowledged.sequence(run, thread) != null);
  }

  /** The nanoseconds of a run if the remaining runs share the remaining time. */
  private double share(int kill, long from) {
    long left = began + plan.length().toNanos() - from;
    int runs = plan.kills() - kill + 1;
    double fair = (left - runs * CHECK_GROWTH * checkNanos) / runs / 0.75;
    double least = SHORTEST_RUN * plan.length().toNanos() / plan.kills();
    return Math.max(fair, least);
  }

  private void awaitReady(WorkerProcess worker, int kill) throws IOException, InterruptedException {
    while (readyAt == 0) {
      tick(
          worker,
          kill == 1
              ? String.format(Locale.ROOT, "loading, %,d accounts", loaded)
              : "starting again");
    }
    if (kill == 1) {
      progress.print(
          "Loaded %,d accounts after %s.",
          plan.layout().accounts(), Summary.seconds(System.nanoTime() - began));
    }
  }

  private void tick(WorkerProcess worker, String phase) throws IOException, InterruptedException {
    if (!worker.isAlive()) {
      if (worker.wasAskedToEnd()) {
        throw new InterruptedException("the worker process was asked to end");
      }
      throw new IOException("the worker process ended unexpectedly: " + worker.describeEnd());
    }
    draw(phase);
    Thread.sleep(TICK_MILLIS);
  }

  private void draw(String phase) {
    long now = System.nanoTime();
    if (now - lastTick > TimeUnit.MILLISECONDS.toNanos(500)) {
      long count = acknowledged.count();
      perSecond = (long) ((count - lastCount) * 1e9 / (now - lastTick));
      lastCount = count;
      lastTick = now;
    }
    double done = (double) (now - began) / plan.length().toNanos();
    progress.update(phase, done, acknowledged.count(), perSecond);
  }

  private void receive(Frame frame) {
    if (frame.id() == Frame.LOADED) {
      loaded = frame.account();
    } else if (frame.id() == Frame.READY) {
      readyAt = System.nanoTime();
    } else {
      acknowledged.add(frame.id(), frame.account(), frame.teller(), frame.delta());
    }
  }

  private DemoResult.Kill openAndCheck(int kill, long runNanos) {
    draw("killed, opening again");
    long start = System.nanoTime();
    try (Bank bank = Bank.open(plan.directory(), plan.layout(), plan.durability().durability())) {
      bank.touch();
      long opened = System.nanoTime();
      if (plan.tamper() && kill == plan.kills()) {
        bank.tamper(TransferId.of(0, 0, 0));
      }
      draw("checking every row");
      var check = new BankCheck(plan.layout(), acknowledged, kill, plan.threads());
      bank.checkInto(check);
      CheckResult found = check.finish();
      long replayed = bank.replayed();
      checkNanos = System.nanoTime() - start;
      return new DemoResult.Kill(
          kill, runNanos, acknowledged.count(), opened - start, replayed, found);
    }
  }

  private void report(DemoResult.Kill kill) {
    progress.print(
        "Kill %d after %s: %,d transfers acknowledged. Open again in %.0f ms (%,d transactions"
            + " replayed): %,d in the history, %s.",
        kill.number(),
        Summary.seconds(kill.runNanos()),
        kill.acknowledged(),
        kill.recoveryNanos() / 1e6,
        kill.replayed(),
        kill.check().transfers(),
        kill.check().passed() ? "every row right" : "CHECK FAILED");
  }
}
