package io.everheap.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.everheap.support.Limit;
import io.everheap.support.tier.Processes;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The command and a small program in unusual environments: locales, charsets, time zones, clocks,
 * users, mounts, file systems, class loaders, control groups. What this machine cannot make is a
 * skip that names what is missing; as root, with the packages of {@code .ci/packages}, nothing is.
 */
@Processes
class EnvironmentsTest {
  /**
   * An environment of a process.
   *
   * @param prefix of the command
   * @param options of the JVM
   * @param variables of the environment
   */
  record Environment(
      String name, List<String> prefix, List<String> options, Map<String, String> variables) {
    static Environment jvm(String name, String... options) {
      return new Environment(name, List.of(), List.of(options), Map.of());
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final Environment USUAL = Environment.jvm("usual");

  @TempDir private Path temp;
  private final Deque<Path> mounts = new ArrayDeque<>();

  @AfterEach
  void unmount() throws Exception {
    List<Path> left = new ArrayList<>();
    for (Path mount : mounts) {
      if (!run("umount", mount.toString())) {
        left.add(mount);
      }
    }
    assertThat(left).as("mounts that are left").isEmpty();
  }

  private static Stream<Environment> environments() {
    List<Environment> all =
        new ArrayList<>(
            List.of(
                Environment.jvm("fa", "-Duser.language=fa"),
                Environment.jvm("ar-EG", "-Duser.language=ar", "-Duser.country=EG"),
                Environment.jvm(
                    "th-TH-u-nu-thai",
                    "-Duser.language=th",
                    "-Duser.country=TH",
                    "-Duser.extensions=u-nu-thai"),
                Environment.jvm("tr", "-Duser.language=tr"),
                Environment.jvm("ISO-8859-1", "-Dfile.encoding=ISO-8859-1"),
                Environment.jvm("half hours", "-Duser.timezone=Asia/Kolkata"),
                Environment.jvm("quarter hours", "-Duser.timezone=Australia/Eucla"),
                Environment.jvm("no java.io.tmpdir", "-Djava.io.tmpdir=/nonexistent/tmp")));
    all.add(new Environment("C", List.of(), List.of(), Map.of("LC_ALL", "C")));
    for (String shift : List.of("-5y", "+9y")) {
      all.add(
          new Environment(
              "clock " + shift,
              List.of("faketime", "-f", shift),
              List.of(),
              Map.of("FAKETIME_DONT_FAKE_MONOTONIC", "1")));
    }
    all.add(
        new Environment(
            "another user",
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"),
            List.of(),
            Map.of("HOME", "/")));
    return all.stream();
  }

  /** Added to in the environment, in the usual one, and in the environment again. */
  @ParameterizedTest
  @MethodSource("environments")
  void dataGoFromOneEnvironmentToAnother(Environment environment) throws Exception {
    List<String> prefix = environment.prefix();
    boolean isOther = prefix.contains("--clear-groups");
    if (!prefix.isEmpty()) {
      List<String> probe = new ArrayList<>(prefix);
      probe.addAll(List.of("test", "-r", classes().toString()));
      need(run(probe.toArray(String[]::new)), String.join(" ", probe));
    }
    Path directory = Files.createDirectory(temp.resolve("data"));
    if (isOther) {
      need(run("chmod", "755", temp.toString()), "chmod");
      need(run("chown", "65534:65534", directory.toString()), "chown");
    }
    program(environment, directory, "add", 0);
    program(isOther ? environment : USUAL, directory, "add", 1);
    program(environment, directory, "add", 2);
    // Another user may not read the libraries that Maven downloaded for the command.
    Result info =
        command(isOther ? USUAL : environment, "info", directory.resolve("heap").toString());
    assertThat(info.output()).contains("150").doesNotContain("Exception");
  }

  @Test
  void aReadOnlyMountIsReadAndRefusedClearlyForWriting() throws Exception {
    Path directory = Files.createDirectory(temp.resolve("data"));
    program(USUAL, directory, "add", 0);
    Path mounted = Files.createDirectory(temp.resolve("mounted"));
    need(run("mount", "--bind", directory.toString(), mounted.toString()), "mount --bind");
    mounts.push(mounted);
    need(run("mount", "-o", "remount,ro,bind", mounted.toString()), "mount -o remount,ro,bind");
    program(USUAL, mounted, "read", 1);
    Result put =
        command(USUAL, "put", mounted.resolve("heap").toString(), "gr\u00fc\u00dfe", "a", "1");
    assertThat(put.exitCode()).isEqualTo(1);
    assertThat(put.output()).contains("read-only").doesNotContain("\tat ");
  }

  @Test
  void classLoadersThatAreClosedLeaveNothingLocked() throws Exception {
    program(USUAL, temp, "loaders", 0);
    program(USUAL, temp, "add", 2);
  }

  @Test
  void aControlGroupOfFewMebibytesIsEnough() throws Exception {
    inControlGroup(
        256,
        limited -> {
          program(limited, temp, "add", 0);
          program(limited, temp, "add", 1);
        });
  }

  @Test
  void aHundredHeapsFitIntoAControlGroup() throws Exception {
    inControlGroup(512, limited -> memory(limited, "heaps", temp.resolve("heaps").toString(), 100));
  }

  static void memory(Environment environment, String what, String directory, int number)
      throws Exception {
    Result result =
        java(environment, MemoryProgram.class.getName(), directory, what, Integer.toString(number));
    assertThat(result.exitCode()).as(environment + ": " + result.output()).isZero();
    assertThat(result.output()).contains("ok");
  }

  /** A secret as container platforms mount it: of root, for the group of the process. */
  @Test
  void aMountedSecretIsAKey() throws Exception {
    Path secret = Files.createDirectory(temp.resolve("secret"));
    need(run("mount", "-t", "tmpfs", "-o", "mode=755", "none", secret.toString()), "mount");
    mounts.push(secret);
    Path version = Files.createDirectory(secret.resolve("..2026"));
    Path key = Files.writeString(version.resolve("key"), "0123456789abcdef".repeat(4));
    Files.createSymbolicLink(secret.resolve("..data"), Path.of("..2026"));
    Files.createSymbolicLink(secret.resolve("key"), Path.of("..data/key"));
    need(run("chown", "0:65534", key.toString()), "chown");
    need(run("chmod", "440", key.toString()), "chmod");
    need(run("mount", "-o", "remount,ro", secret.toString()), "mount -o remount,ro");
    Path directory = Files.createDirectory(temp.resolve("data"));
    need(run("chmod", "755", temp.toString()), "chmod");
    need(run("chown", "65534:65534", directory.toString()), "chown");
    List<String> user = List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");
    List<String> probe = new ArrayList<>(user);
    probe.addAll(List.of("test", "-r", classes().toString()));
    need(run(probe.toArray(String[]::new)), String.join(" ", probe));
    Environment pod =
        new Environment(
            "a mounted secret",
            user,
            List.of("-Deverheap.key=" + secret.resolve("key")),
            Map.of("HOME", "/"));
    program(pod, directory, "add", 0);
    program(pod, directory, "add", 1);
    assertThat(directory.resolve("heap").resolve("keys")).exists();
  }

  @Test
  void overlayfsHoldsAHeap() throws Exception {
    Path base = Files.createDirectory(temp.resolve("base"));
    need(run("mount", "-t", "tmpfs", "none", base.toString()), "mount");
    mounts.push(base);
    for (String each : List.of("lower", "upper", "work", "merged")) {
      Files.createDirectory(base.resolve(each));
    }
    program(USUAL, base.resolve("lower"), "add", 0);
    Path merged = base.resolve("merged");
    String options =
        "lowerdir=" + base + "/lower,upperdir=" + base + "/upper,workdir=" + base + "/work";
    need(
        run("mount", "-t", "overlay", "overlay", "-o", options, merged.toString()),
        "mount -t overlay");
    mounts.push(merged);
    program(USUAL, merged, "add", 1);
    program(USUAL, merged, "add", 2);
    program(USUAL, base.resolve("lower"), "read", 1);
  }

  @Test
  void aNewVolumeWithLostAndFoundTakesAHeap() throws Exception {
    Path volume = volume("ext4", 64);
    assertThat(volume.resolve("lost+found")).isDirectory();
    assertThat(command(USUAL, "create", volume.toString()).exitCode()).isZero();
    assertThat(command(USUAL, "info", volume.toString()).exitCode()).isZero();
  }

  @Test
  void smallTemporaryFilesAreEnough() throws Exception {
    Path small = Files.createDirectory(temp.resolve("tmp"));
    need(run("mount", "-t", "tmpfs", "-o", "size=1m", "none", small.toString()), "mount");
    mounts.push(small);
    Environment environment = Environment.jvm("small", "-Djava.io.tmpdir=" + small);
    Path directory = Files.createDirectory(temp.resolve("data"));
    program(environment, directory, "add", 0);
    program(environment, directory, "add", 1);
  }

  /** The original shares its blocks with the copy, so its next changes need space. */
  @Test
  void aFullXfsWithReflinksIsToldAndEmptied() throws Exception {
    Path volume = volume("xfs", 400);
    Path directory = Files.createDirectory(volume.resolve("data"));
    program(USUAL, directory, "add", 0);
    String copy = volume.resolve("copy").toString();
    need(run("cp", "-a", "--reflink=always", directory.toString(), copy), "cp --reflink=always");
    fill(volume.resolve("filler"));
    requireDiskFull(start(USUAL, directory, "add", 1));
    Files.delete(volume.resolve("filler"));
    program(USUAL, directory, "read", 1);
    assertThat(command(USUAL, "verify", directory.resolve("heap").toString()).exitCode()).isZero();
  }

  @Test
  void aFullBtrfsIsToldAndEmptied() throws Exception {
    Path volume = volume("btrfs", 400);
    Path directory = Files.createDirectory(volume.resolve("data"));
    program(USUAL, directory, "add", 0);
    fill(volume.resolve("filler"));
    requireDiskFull(command(USUAL, "put", directory.resolve("heap").toString(), "x", "a", "1"));
    Files.delete(volume.resolve("filler"));
    program(USUAL, directory, "add", 1);
  }

  private static void requireDiskFull(Result result) {
    assertThat(result.exitCode()).isNotZero();
    assertThat(result.output()).contains("EH-DISK-FULL");
    assertThat(result.output().lines())
        .noneMatch(line -> line.matches("(Exception in .*)?java.lang.InternalError.*"));
  }

  // ---- Volumes ------------------------------------------------------------------------------

  private Path volume(String type, int mebibytes) throws Exception {
    Path image = temp.resolve("image");
    need(run("truncate", "-s", mebibytes + "M", image.toString()), "truncate");
    need(run("mkfs." + type, "-q", image.toString()), "mkfs." + type);
    Path mounted = Files.createDirectory(temp.resolve("volume"));
    need(run("mount", "-o", "loop", image.toString(), mounted.toString()), "mount -o loop");
    mounts.push(mounted);
    return mounted;
  }

  /** Writes until no block is left. */
  private static void fill(Path filler) throws IOException {
    byte[] bytes = new byte[1 << 20];
    new Random(1).nextBytes(bytes);
    int length = bytes.length;
    try (var file = new RandomAccessFile(filler.toFile(), "rw")) {
      while (length >= 4096) {
        try {
          file.write(bytes, 0, length);
          file.getFD().sync();
        } catch (IOException e) {
          length /= 2;
        }
      }
    }
  }

  // ---- Processes ----------------------------------------------------------------------------

  private record Result(int exitCode, String output) {}

  private static void need(boolean isThere, String what) {
    if (!isThere) {
      System.out.println("EnvironmentsTest: this machine cannot make: " + what);
    }
    assumeTrue(isThere, "this machine cannot make: " + what);
  }

  private static void program(Environment environment, Path directory, String mode, int before)
      throws Exception {
    Result result = start(environment, directory, mode, before);
    assertThat(result.exitCode()).as(environment + ": " + result.output()).isZero();
    assertThat(result.output()).contains("ok");
  }

  private static Result start(Environment environment, Path directory, String mode, int before)
      throws Exception {
    return java(
        environment,
        EnvironmentProgram.class.getName(),
        directory.toString(),
        mode,
        Integer.toString(before));
  }

  private static Result command(Environment environment, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("io.everheap.cli.Main"));
    all.addAll(List.of(arguments));
    return java(environment, all.toArray(String[]::new));
  }

  private static Result java(Environment environment, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(environment.prefix());
    all.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    all.addAll(environment.options());
    all.addAll(
        List.of(
            "--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path")));
    all.addAll(List.of(arguments));
    return result(all, environment.variables());
  }

  private static Path classes() throws URISyntaxException {
    return Path.of(
        EnvironmentProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  interface InEnvironment {
    void run(Environment limited) throws Exception;
  }

  /** Runs a test in a control group with so much memory. */
  static void inControlGroup(int mebibytes, InEnvironment body) throws Exception {
    Path one = Path.of("/sys/fs/cgroup/memory");
    boolean isFirst = Files.isDirectory(one);
    Path group =
        (isFirst ? one : Path.of("/sys/fs/cgroup")).resolve("everheap-" + UUID.randomUUID());
    need(run("mkdir", group.toString()), "a memory control group");
    try {
      Path limit = group.resolve(isFirst ? "memory.limit_in_bytes" : "memory.max");
      need(run("sh", "-c", "echo " + mebibytes + "M > " + limit), "a limit of a control group");
      body.run(
          new Environment(
              mebibytes + " MiB",
              List.of("sh", "-c", "echo $$ > " + group + "/cgroup.procs; exec \"$@\"", "sh"),
              List.of("-Xmx64m"),
              Map.of()));
    } finally {
      run("rmdir", group.toString());
    }
  }

  private static boolean run(String... command) throws InterruptedException {
    try {
      return result(List.of(command), Map.of()).exitCode() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }

  private static Result result(List<String> command, Map<String, String> variables)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("environment", ".out");
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
      builder.redirectOutput(output.toFile()).redirectInput(new File("/dev/null"));
      builder.environment().putAll(variables);
      Process process = builder.start();
      if (!process.waitFor(Limit.of(Duration.ofMinutes(10)).toSeconds(), TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        return new Result(-1, "it did not end: " + Files.readString(output, UTF_8));
      }
      return new Result(process.exitValue(), new String(Files.readAllBytes(output), UTF_8));
    } finally {
      Files.delete(output);
    }
  }
}
