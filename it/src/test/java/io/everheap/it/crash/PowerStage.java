package io.everheap.it.crash;

import io.everheap.it.crash.Order.Kind;
import io.everheap.support.Limit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Power cuts. Boots the virtual machine, lets a {@link PoweredWorker} write to heaps and journals
 * on its disk and its persistent memory, and switches it off at a random moment, again and again:
 * each boot checks what the cut before left. Then runs tests of the library on the persistent
 * memory.
 */
public final class PowerStage {
  private static final long READY_NANOS = Limit.of(Duration.ofMinutes(5)).toNanos();
  private static final long LAST_BOOT_NANOS = Limit.of(Duration.ofMinutes(55)).toNanos();
  private static final int RECOVERING_MILLIS = 3_000;
  private static final long LOOK_MILLIS = 20;
  private static final long ASYNC = 200_000; // microseconds

  private final Path rig;
  private final Path guest;
  private final PowerOptions options;
  private final SplittableRandom random;
  private final List<PoweredHeap> heaps;
  private final PoweredHeap unsynced;
  private final PoweredHeap primary;
  private final int forwarded; // a port that leads to the primary's
  private final long[] lostPages = new long[3];
  private final List<Long> counts = new ArrayList<>(); // of commits when the machine was booted
  private @Nullable Standby standby; // while power is cut
  private int controlled = -1; // the run whose control files the next one checks
  private final long began = System.nanoTime();

  private PowerStage(Path rig, Path guest, int forwarded, PowerOptions options) {
    this.forwarded = forwarded;
    this.rig = rig;
    this.guest = guest;
    this.options = options;
    random = new SplittableRandom(options.seed());
    long never = TimeUnit.NANOSECONDS.toMicros(Order.NEVER.toNanos());
    unsynced = powered(Kind.HEAP, 3, "disk, never synced", "file", never, 1, "/mnt/disk/unsynced");
    primary = powered(Kind.PRIMARY, 7, "disk, one copy", "file", 0, 2, "/mnt/disk/primary");
    heaps =
        List.of(
            powered(Kind.HEAP, 0, "disk, SYNC", "file", 0, 2, "/mnt/disk/sync"),
            powered(Kind.HEAP, 1, "disk, ASYNC 200 ms", "file", ASYNC, 2, "/mnt/disk/async"),
            powered(Kind.HEAP, 2, "DAX, SYNC", "dax", 0, 2, "/mnt/pmem/sync"),
            unsynced,
            powered(Kind.JOURNAL, 4, "journal on disk, SYNC", "file", 0, 4, "/mnt/disk/j-sync"),
            powered(
                Kind.JOURNAL,
                5,
                "journal on disk, ASYNC 200 ms",
                "file",
                ASYNC,
                2,
                "/mnt/disk/j-async"),
            powered(Kind.JOURNAL, 6, "journal on DAX, SYNC", "dax", 0, 2, "/mnt/pmem/j-sync"),
            primary);
  }

  private PoweredHeap powered(
      Kind kind,
      int number,
      String name,
      String medium,
      long intervalMicros,
      int threads,
      String directory) {
    return new PoweredHeap(
        name,
        new Order(
            kind,
            number,
            medium,
            intervalMicros,
            kind == Kind.HEAP && intervalMicros == 0,
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
    int port = freePort();
    var stage = new PowerStage(Path.of(arguments[0]), Path.of(arguments[1]), port, options);
    try {
      stage.run();
    } catch (AssertionError e) {
      stage.say("FAILED, seed " + options.seed() + ": " + e.getMessage());
      System.exit(1);
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void run() throws IOException, InterruptedException {
    say(
        String.format(
            Locale.ROOT,
            "%d power cuts, then tests on persistent memory: %s; seed %d",
            options.cuts(),
            String.join(" ", options.tests()),
            options.seed()));
    if (options.cuts() > 0) {
      cuts();
    }
    runTests();
    report();
  }

  private void cuts() throws IOException, InterruptedException {
    Path copy = Files.createTempDirectory("everheap-standby");
    try (var standby = new Standby(copy.resolve("heap"), forwarded, primary.order())) {
      cuts(standby);
      standby.takeOver();
      say("the replica outside of the machine took over, and goes on");
    } finally {
      delete(copy);
    }
    checkAfterLastCut();
    judgeControl();
  }

  private void cuts(Standby outside) throws IOException, InterruptedException {
    standby = outside;
    for (int run = 0; run < options.cuts(); run++) {
      if (run % 4 == 1) {
        cutWhileRecovering(run);
      } else {
        cutWhileWriting(run);
      }
      long copied = outside.check();
      say(String.format(Locale.ROOT, "  the replica outside of the machine has commit %d", copied));
    }
    standby = null;
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private void cutWhileWriting(int run) throws IOException, InterruptedException {
    try (Guest machine = boot("work", run)) {
      look(machine, this::isWriting);
      compare();
      int millis = random.nextInt(options.length().workingMillis());
      lookFor(machine, millis);
      cut(machine);
      controlled = run;
      say(
          String.format(
              Locale.ROOT,
              "cut %d of %d, after %d ms of writing",
              run + 1,
              options.cuts(),
              millis));
    }
  }

  /** Cuts the power while heaps recover, or soon after. */
  private void cutWhileRecovering(int run) throws IOException, InterruptedException {
    try (Guest machine = boot("work", run)) {
      look(machine, machine::hasStarted);
      int millis = random.nextInt(RECOVERING_MILLIS);
      lookFor(machine, millis);
      cut(machine);
      compare();
      say(
          String.format(
              Locale.ROOT,
              "cut %d of %d, after %d ms of recovery",
              run + 1,
              options.cuts(),
              millis));
    }
  }

  private void cut(Guest machine) throws IOException, InterruptedException {
    machine.cutPower();
    machine.receive(this::add);
  }

  private Guest boot(String what, int run) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("$PORT", what, Integer.toString(run), Integer.toString(controlled)));
    arguments.add("/mnt/disk/control");
    controlled = -1;
    counts.clear();
    for (PoweredHeap heap : heaps) {
      heap.expect();
      counts.add(heap.acknowledged().count());
      arguments.add(heap.order().toArgument());
    }
    return Guest.boot(rig, guest, forwarded, java(PoweredWorker.class, arguments));
  }

  /** Whether every heap was checked and written to. */
  private boolean isWriting() {
    for (int i = 0; i < heaps.size(); i++) {
      if (heaps.get(i).acknowledged().count() == counts.get(i)) {
        return false;
      }
    }
    return true;
  }

  private void lookFor(Guest machine, int millis) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    look(machine, () -> System.nanoTime() - end >= 0);
  }

  private void look(Guest machine, BooleanSupplier enough)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + READY_NANOS;
    while (!enough.getAsBoolean()) {
      if (!machine.isOn()) {
        throw new AssertionError(
            String.format(
                Locale.ROOT,
                "the command in the guest ended with %d\n%s",
                machine.status(),
                machine.lastWords()));
      }
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the guest was not ready in time\n" + machine.lastWords());
      }
      machine.receive(this::add);
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private void add(Ack ack) {
    if (ack.kind() == Ack.Kind.LOST) {
      lostPages[ack.heap()] += ack.commit();
    } else {
      heaps.get(ack.heap()).acknowledged().add(ack);
      if (standby != null && ack.heap() == primary.order().heap()) {
        standby.acknowledged(ack);
      }
    }
  }

  private void compare() {
    for (PoweredHeap heap : heaps) {
      long recoveries = heap.acknowledged().recoveries();
      if (heap.compare() && recoveries > 1) {
        say("  " + heap.describe());
      }
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
    while (machine.isOn() && System.nanoTime() - end < 0) {
      Thread.sleep(LOOK_MILLIS);
      shown = showProgress(machine, shown);
    }
    machine.receive(this::add);
    showProgress(machine, shown);
    if (machine.isOn() || machine.status() != 0) {
      throw new AssertionError(
          String.format(
              Locale.ROOT,
              "the command in the guest ended with %d\n%s",
              machine.status(),
              machine.lastWords()));
    }
  }

  /** Shows new lines of the console that begin as progress does, and returns how many there are. */
  private int showProgress(Guest machine, int shown) throws IOException {
    List<String> lines = machine.console().stream().filter(l -> l.startsWith("tests:")).toList();
    lines.subList(Math.min(shown, lines.size()), lines.size()).forEach(line -> say("  " + line));
    return lines.size();
  }

  /** Without losses where they are due, the cuts were none. */
  private void judgeControl() {
    say(
        String.format(
            Locale.ROOT,
            "control: %d pages written and %d stored without sync were lost, %d of those forced",
            lostPages[Control.WRITTEN],
            lostPages[Control.STORED],
            lostPages[Control.FORCED]));
    say(
        String.format(
            Locale.ROOT,
            "control: the heap that is never synced lost %d commits",
            unsynced.lost()));
    if (lostPages[Control.WRITTEN] == 0 || lostPages[Control.STORED] == 0 || unsynced.lost() == 0) {
      throw new AssertionError("nothing was lost that was not synced: these were no power cuts");
    }
    if (lostPages[Control.FORCED] != 0) {
      throw new AssertionError("the machine lost what was synced: it cannot keep a heap either");
    }
  }

  private void runTests() throws IOException, InterruptedException {
    try (Guest machine = Guest.boot(rig, guest, forwarded, java(DaxTests.class, options.tests()))) {
      runToEnd(machine);
    }
  }

  private void report() {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began);
    for (PoweredHeap heap : options.cuts() == 0 ? List.<PoweredHeap>of() : heaps) {
      say(
          String.format(
              Locale.ROOT,
              "%s: %d commits acknowledged, %d of them lost in %d cuts",
              heap.name(),
              heap.acknowledged().count(),
              heap.lost(),
              options.cuts()));
    }
    say(String.format(Locale.ROOT, "PASSED in %d s", seconds));
  }

  private List<String> java(Class<?> main, List<String> arguments) {
    String classPath = System.getProperty("java.class.path");
    if (classPath.startsWith("/mnt/") || classPath.contains(":/mnt/")) {
      throw new AssertionError("the guest sees no /mnt of its host: " + classPath);
    }
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
            classPath,
            main.getName()));
    command.addAll(arguments);
    return command;
  }

  private void say(String line) {
    System.out.println("power: " + line);
  }
}
