package io.everheap.it.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Power cuts. Boots the virtual machine, lets a {@link PoweredWorker} write to heaps on its disk
 * and its persistent memory, and switches it off at a random moment, again and again: each boot
 * checks what the cut before left. Then runs tests of the library on the persistent memory.
 */
public final class PowerStage {
  private static final long READY_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long LAST_BOOT_NANOS = TimeUnit.MINUTES.toNanos(60);
  private static final int WORKING_MILLIS = 5_000;
  private static final long LOOK_MILLIS = 20;

  private final Path rig;
  private final Path guest;
  private final PowerOptions options;
  private final SplittableRandom random;
  private final List<PoweredHeap> heaps;
  private final PoweredHeap unsynced;
  private final long[] lostPages = new long[3];
  private final long began = System.nanoTime();

  private PowerStage(Path rig, Path guest, PowerOptions options) {
    this.rig = rig;
    this.guest = guest;
    this.options = options;
    random = new SplittableRandom(options.seed());
    long never = TimeUnit.NANOSECONDS.toMicros(Order.NEVER.toNanos());
    unsynced = heap(3, "disk, never synced", "file", never, false, 1, "/mnt/disk/unsynced");
    heaps =
        List.of(
            heap(0, "disk, SYNC", "file", 0, true, 2, "/mnt/disk/sync"),
            heap(1, "disk, ASYNC 200 ms", "file", 200_000, false, 2, "/mnt/disk/async"),
            heap(2, "DAX, SYNC", "dax", 0, true, 2, "/mnt/pmem/sync"),
            unsynced);
  }

  private PoweredHeap heap(
      int number,
      String name,
      String medium,
      long intervalMicros,
      boolean mixed,
      int threads,
      String directory) {
    return new PoweredHeap(
        name,
        new Order(
            number,
            medium,
            intervalMicros,
            mixed,
            threads,
            options.seed() + number,
            0,
            Path.of(directory)));
  }

  /**
   * Runs the stage; the exit code tells whether it passed.
   *
   * @param arguments the directory of the rig, that of the built guest, then {@link PowerOptions}
   */
  public static void main(String[] arguments) throws Exception {
    PowerOptions options;
    try {
      options = PowerOptions.parse(List.of(arguments).subList(2, arguments.length));
    } catch (IllegalArgumentException e) {
      System.err.println("power: " + e.getMessage());
      System.exit(2);
      return;
    }
    var stage = new PowerStage(Path.of(arguments[0]), Path.of(arguments[1]), options);
    try {
      stage.run();
    } catch (AssertionError e) {
      stage.say("FAILED, seed " + options.seed() + ": " + e.getMessage());
      System.exit(1);
    }
  }

  private void run() throws IOException, InterruptedException {
    say(
        "%d power cuts, then tests on persistent memory, in %s; seed %d"
            .formatted(options.cuts(), options.length(), options.seed()));
    for (int run = 0; run < options.cuts(); run++) {
      workUntilCut(run);
    }
    checkAfterLastCut();
    judgeControl();
    runTests();
    report();
  }

  private void workUntilCut(int run) throws IOException, InterruptedException {
    try (Guest machine = boot("work", run)) {
      awaitReady(machine, run);
      int millis = random.nextInt(WORKING_MILLIS);
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
      while (System.nanoTime() < end) {
        look(machine);
      }
      machine.cutPower();
      machine.receive(this::add);
      heaps.forEach(PoweredHeap::expect);
      say("cut %d of %d, after %d ms of writing".formatted(run + 1, options.cuts(), millis));
    }
  }

  private Guest boot(String what, int run) throws IOException {
    List<String> arguments =
        new ArrayList<>(List.of("$PORT", what, Integer.toString(run), "/mnt/disk/control"));
    heaps.forEach(heap -> arguments.add(heap.order().toArgument()));
    return Guest.boot(rig, guest, java(PoweredWorker.class, arguments));
  }

  /** Waits until every heap was checked and written to. */
  private void awaitReady(Guest machine, int run) throws IOException, InterruptedException {
    long[] counts = heaps.stream().mapToLong(heap -> heap.acknowledged().count()).toArray();
    long end = System.nanoTime() + READY_NANOS;
    while (!ready(run, counts)) {
      look(machine);
      if (System.nanoTime() > end) {
        throw new AssertionError("the guest was not ready in time\n" + machine.lastWords());
      }
    }
    if (run > 0) {
      compare();
    }
  }

  private boolean ready(int run, long[] counts) {
    for (int i = 0; i < counts.length; i++) {
      Acknowledged heap = heaps.get(i).acknowledged();
      if (heap.recoveries() != run + 1 || heap.count() == counts[i]) {
        return false;
      }
    }
    return true;
  }

  private void look(Guest machine) throws IOException, InterruptedException {
    if (!machine.isOn()) {
      throw new AssertionError(
          "the command in the guest ended with %d\n%s"
              .formatted(machine.status(), machine.lastWords()));
    }
    machine.receive(this::add);
    Thread.sleep(LOOK_MILLIS);
  }

  private void add(Ack ack) {
    if (ack.kind() == Ack.Kind.LOST) {
      lostPages[ack.heap()] += ack.commit();
    } else {
      heaps.get(ack.heap()).acknowledged().add(ack);
    }
  }

  private void compare() {
    for (PoweredHeap heap : heaps) {
      heap.compare();
      say("  " + heap.describe());
    }
  }

  private void checkAfterLastCut() throws IOException, InterruptedException {
    try (Guest machine = boot("check", options.cuts())) {
      runToEnd(machine);
    }
    compare();
  }

  private void runToEnd(Guest machine) throws IOException, InterruptedException {
    long end = System.nanoTime() + LAST_BOOT_NANOS;
    int shown = 0;
    while (machine.isOn() && System.nanoTime() < end) {
      Thread.sleep(LOOK_MILLIS);
      shown = showProgress(machine, shown);
    }
    machine.receive(this::add);
    showProgress(machine, shown);
    if (machine.isOn() || machine.status() != 0) {
      throw new AssertionError(
          "the command in the guest ended with %d\n%s"
              .formatted(machine.status(), machine.lastWords()));
    }
  }

  /** Shows new lines of the console that begin as progress does, and returns how many there are. */
  private int showProgress(Guest machine, int shown) throws IOException {
    List<String> lines = machine.console().stream().filter(l -> l.startsWith("DAX:")).toList();
    lines.subList(Math.min(shown, lines.size()), lines.size()).forEach(line -> say("  " + line));
    return lines.size();
  }

  /** Without losses where they are due, the cuts were none. */
  private void judgeControl() {
    say(
        "control: %d pages written and %d stored without sync were lost, %d of those forced"
            .formatted(
                lostPages[Control.WRITTEN], lostPages[Control.STORED], lostPages[Control.FORCED]));
    say("control: the heap that is never synced lost %d commits".formatted(unsynced.lost()));
    if (lostPages[Control.WRITTEN] == 0 || lostPages[Control.STORED] == 0 || unsynced.lost() == 0) {
      throw new AssertionError("nothing was lost that was not synced: these were no power cuts");
    }
    if (lostPages[Control.FORCED] != 0) {
      throw new AssertionError("the machine lost what was synced: it cannot keep a heap either");
    }
  }

  private void runTests() throws IOException, InterruptedException {
    try (Guest machine = Guest.boot(rig, guest, java(DaxTests.class, options.length().tests()))) {
      runToEnd(machine);
    }
  }

  private void report() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    for (PoweredHeap heap : heaps) {
      say(
          "%s: %d commits acknowledged, %d of them lost in %d cuts"
              .formatted(heap.name(), heap.acknowledged().count(), heap.lost(), options.cuts()));
    }
    say("PASSED in %d s".formatted(seconds));
  }

  private List<String> java(Class<?> main, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:-UsePerfData",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-Xmx1g",
            "-Djava.io.tmpdir=/mnt/pmem/tmp",
            "-Deverheap.test.directory=/mnt/pmem/tmp",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName()));
    command.addAll(arguments);
    return command;
  }

  private void say(String line) {
    System.out.println("power: " + line);
  }
}
