package io.everheap.benchmarks.replication;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A server of PostgreSQL with its data in a directory of its own, run by its own programs. As root,
 * which the server refuses to run as, by the user {@code postgres}.
 */
final class PostgresCluster implements AutoCloseable {
  private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
  private static final Pattern TPS = Pattern.compile("tps = ([0-9.]+)");

  private static final long MOST_SECONDS = 100;

  private final Path programs;
  private final Path directory;
  private final int port;
  private boolean started;

  private PostgresCluster(Path programs, Path directory, int port) {
    this.programs = programs;
    this.directory = directory;
    this.port = port;
  }

  /** Where the programs are, if all that is needed is installed. */
  static Optional<Path> programs() throws IOException {
    List<Path> candidates = new ArrayList<>();
    if (Files.isDirectory(DEBIAN)) {
      try (Stream<Path> versions = Files.list(DEBIAN)) {
        versions
            .map(v -> v.resolve("bin"))
            .sorted(Comparator.reverseOrder())
            .forEach(candidates::add);
      }
    }
    for (String entry : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      candidates.add(Path.of(entry));
    }
    return programs(candidates);
  }

  /** The first directory that has all programs. */
  static Optional<Path> programs(List<Path> candidates) {
    return candidates.stream()
        .filter(
            bin ->
                Stream.of("initdb", "pg_ctl", "pg_basebackup", "pgbench", "psql")
                    .allMatch(program -> Files.isExecutable(bin.resolve(program))))
        .findFirst();
  }

  /** What a program says of its version. */
  static String version(Path programs) throws IOException {
    return run(List.of(programs.resolve("pg_ctl").toString(), "--version")).strip();
  }

  /** A new server, which is started, and to which a standby can connect. */
  static PostgresCluster create(Path programs, Path directory, int port) throws IOException {
    Files.createDirectories(directory);
    open(directory);
    PostgresCluster cluster = new PostgresCluster(programs, directory, port);
    run(List.of("chmod", "777", directory.toString()));
    cluster.program("initdb", "-D", cluster.data(), "-A", "trust", "-U", "bench", "-N");
    cluster.configure(
        """
        listen_addresses = 'localhost'
        max_connections = 300
        shared_buffers = 512MB
        max_wal_size = 4GB
        wal_keep_size = 4GB
        """);
    cluster.configurePlaces();
    cluster.start();
    return cluster;
  }

  /** The directories above can be passed by the user of the server. */
  private static void open(Path directory) throws IOException {
    for (Path d = directory.getParent(); d != null; d = d.getParent()) {
      if (d.getFileName() != null && d.getFileName().toString().startsWith("everheap-bench-")) {
        Files.setPosixFilePermissions(d, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
  }

  private String data() {
    return directory.resolve("data").toString();
  }

  private void configure(String settings) throws IOException {
    Files.writeString(
        directory.resolve("data").resolve("postgresql.conf"), settings, StandardOpenOption.APPEND);
  }

  private void configurePlaces() throws IOException {
    configure(
        String.format(Locale.ROOT, "port = %d%nunix_socket_directories = '%s'%n", port, directory));
  }

  private void start() throws IOException {
    started = true;
    program("pg_ctl", "start", "-w", "-D", data(), "-l", directory.resolve("log").toString());
  }

  /** A standby in another directory, made from a copy; it follows. */
  PostgresCluster standby(Path where, int itsPort) throws IOException {
    PostgresCluster standby = new PostgresCluster(programs, where, itsPort);
    Files.createDirectories(where);
    run(List.of("chmod", "777", where.toString()));
    standby.program(
        "pg_basebackup",
        "-D",
        standby.data(),
        "-R",
        "-c",
        "fast",
        "-d",
        "host=localhost port=" + port + " user=bench application_name=standby");
    standby.configurePlaces();
    standby.start();
    return standby;
  }

  /** Runs statements, each in a transaction of its own, and returns what they print. */
  String sql(String... statements) throws IOException {
    List<String> words = new ArrayList<>(List.of("-h", directory.toString(), "-p", "" + port));
    words.addAll(List.of("-U", "bench", "-d", "postgres", "-qAtX", "-v", "ON_ERROR_STOP=1"));
    for (String statement : statements) {
      words.add("-c");
      words.add(statement);
    }
    return program("psql", words.toArray(String[]::new)).strip();
  }

  /**
   * Transactions per second of a script.
   *
   * @param seconds that it runs, or more if none of so many clients ends a transaction in them
   */
  double bench(Path script, int clients, long seconds) throws IOException {
    String output = benchFor(script, clients, seconds);
    Matcher tps = TPS.matcher(output);
    for (long longer = 4 * seconds; !tps.find(); longer *= 4) {
      if (longer > MOST_SECONDS) {
        throw new IOException("pgbench says: " + output);
      }
      output = benchFor(script, clients, longer);
      tps = TPS.matcher(output);
    }
    return Double.parseDouble(tps.group(1));
  }

  private String benchFor(Path script, int clients, long seconds) throws IOException {
    return program(
        "pgbench",
        "-h",
        directory.toString(),
        "-p",
        "" + port,
        "-U",
        "bench",
        "-n",
        "-M",
        "prepared",
        "-f",
        script.toString(),
        "-c",
        "" + clients,
        "-j",
        "" + Math.min(clients, 2),
        "-T",
        "" + seconds,
        "postgres");
  }

  /** Ends it as a crash does. */
  void kill() throws IOException {
    if (started) {
      started = false;
      program("pg_ctl", "stop", "-w", "-m", "immediate", "-D", data());
    }
  }

  /** Makes a standby a primary. */
  void promote() throws IOException {
    program("pg_ctl", "promote", "-w", "-D", data());
  }

  @Override
  public void close() throws IOException {
    kill();
  }

  private String program(String name, String... words) throws IOException {
    List<String> command = new ArrayList<>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    command.add(programs.resolve(name).toString());
    command.addAll(List.of(words));
    return run(command);
  }

  /** Runs a program, whose children may go on with its output. */
  private static String run(List<String> command) throws IOException {
    Path output = Files.createTempFile("everheap-bench-", ".log");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      int code = process.onExit().join().exitValue();
      String text = Files.readString(output, StandardCharsets.UTF_8);
      if (code != 0) {
        throw new IOException(String.join(" ", command) + " failed: " + text.strip());
      }
      return text;
    } finally {
      Files.deleteIfExists(output);
    }
  }
}
