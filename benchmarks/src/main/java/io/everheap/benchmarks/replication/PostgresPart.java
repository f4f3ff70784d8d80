package io.everheap.benchmarks.replication;

import io.everheap.benchmarks.harness.Directories;
import io.everheap.benchmarks.harness.Part;
import io.everheap.benchmarks.harness.Run;
import io.everheap.benchmarks.result.Case;
import io.everheap.benchmarks.result.Level;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The same with PostgreSQL and its streaming replication: updates of a tenth of a row of 1,000
 * bytes. It is a server, so each update is also sent to it: its ratios compare, not its throughput.
 */
final class PostgresPart implements Part {
  /** The name of the peer. */
  static final String PEER = "postgresql";

  private static final String ALONE = PEER + "-alone";
  private static final String REMOTE_WRITE = PEER + "-remote-write";
  private static final String INSTALL =
      "PostgreSQL is not installed; Debian, Ubuntu: apt-get install postgresql";

  private String version = "not measured";

  @Override
  public String name() {
    return PEER;
  }

  String version() {
    return version;
  }

  @Override
  public int steps(Run run) {
    boolean wanted =
        Stream.of(UpdatesPart.ASYNC, UpdatesPart.COPIES, FailoverPart.FAILOVER, FailoverPart.JOIN)
            .anyMatch(run.settings()::wants);
    return wanted && run.settings().peers().contains(PEER) ? 1 + run.settings().rounds() : 0;
  }

  @Override
  public void measure(Run run) throws IOException {
    Optional<Path> programs = PostgresCluster.programs();
    if (programs.isEmpty()) {
      run.samples().notRun(PEER, INSTALL);
      return;
    }
    version = PostgresCluster.version(programs.get());
    Path directory = Directories.create(run.disk());
    long records = run.settings().quick() ? 20_000 : 200_000;
    Path script = script(directory, records);
    run.progress().step("postgresql: making the records");
    try (PostgresCluster primary =
        PostgresCluster.create(programs.get(), directory.resolve("primary"), freePort())) {
      load(primary, records);
      for (int round = 1; run.goesOn(this, round, 1); round++) {
        run.progress().step("postgresql: round " + round);
        round(run, primary, directory.resolve("standby"), script, records);
      }
    } finally {
      Directories.delete(directory);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void load(PostgresCluster primary, long records) throws IOException {
    StringBuilder table = new StringBuilder("CREATE TABLE records (id bigint PRIMARY KEY");
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < Records.BYTES / 100; i++) {
      table.append(", ").append(String.format(Locale.ROOT, "f%d char(100)", i));
      values.append(", repeat(md5(random()::text), 3)");
    }
    primary.sql(
        table.append(") WITH (fillfactor = 50)").toString(), // room for versions in the same page
        "INSERT INTO records SELECT id" + values + " FROM generate_series(1, " + records + ") id",
        "VACUUM ANALYZE records",
        "CHECKPOINT");
  }

  private static Path script(Path directory, long records) throws IOException {
    Path script = directory.resolve("update.sql");
    Files.writeString(
        script,
        String.format(
            Locale.ROOT,
            """
        \\set id random(1, %d)
        \\set value random(1, 1000000000)
        UPDATE records SET f3 = lpad(:value::text, 100, 'everheap') WHERE id = :id;
        """,
            records));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }

  private static void round(
      Run run, PostgresCluster primary, Path standbyDirectory, Path script, long records)
      throws IOException {
    long seconds = run.settings().quick() ? 1 : 10;
    set(primary, "off", "");
    for (int threads : UpdatesPart.THREADS) {
      add(run, UpdatesPart.ASYNC, ALONE, Level.P, threads, primary.bench(script, threads, seconds));
    }
    set(primary, "on", "");
    add(run, UpdatesPart.COPIES, ALONE, Level.S, 256, primary.bench(script, 256, seconds));
    long start = System.nanoTime();
    try (PostgresCluster standby = primary.standby(standbyDirectory, freePort())) {
      double bytes = Double.parseDouble(primary.sql("SELECT pg_total_relation_size('records')"));
      add(
          run,
          new Case(FailoverPart.JOIN, PEER, Level.S, "file", 1, KeepUpPart.MB_PER_S, null),
          bytes * 1e3 / (System.nanoTime() - start));
      set(primary, "off", "");
      for (int threads : UpdatesPart.THREADS) {
        add(
            run,
            UpdatesPart.ASYNC,
            PEER,
            Level.P,
            threads,
            primary.bench(script, threads, seconds));
      }
      set(primary, "on", "standby");
      add(run, UpdatesPart.COPIES, PEER, Level.S, 256, primary.bench(script, 256, seconds));
      set(primary, "remote_write", "standby");
      add(run, UpdatesPart.COPIES, REMOTE_WRITE, Level.P, 256, primary.bench(script, 256, seconds));
      set(primary, "on", "");
      long decided = System.nanoTime();
      standby.promote();
      standby.sql("UPDATE records SET f3 = 'first' WHERE id = " + records);
      add(
          run,
          new Case(FailoverPart.FAILOVER, PEER, Level.S, "file", 1, Case.SECONDS, null),
          (System.nanoTime() - decided) / 1e9);
    } finally {
      set(primary, "on", "");
      Directories.delete(standbyDirectory);
    }
  }

  private static void set(PostgresCluster primary, String commit, String standbys)
      throws IOException {
    primary.sql(
        "ALTER SYSTEM SET synchronous_commit = '" + commit + "'",
        "ALTER SYSTEM SET synchronous_standby_names = '" + standbys + "'",
        "SELECT pg_reload_conf()",
        "CHECKPOINT");
  }

  private static void add(Run run, String name, String peer, Level level, int threads, double ops) {
    add(run, new Case(name, peer, level, "file", threads, Case.OPS_PER_S, null), ops);
  }

  private static void add(Run run, Case what, double value) {
    run.samples().add(what, value);
  }
}
