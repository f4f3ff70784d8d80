package io.everheap.cassandra;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.everheap.support.Limit;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A node of Cassandra in a process of its own, with a directory. */
final class Node implements AutoCloseable {
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 4_000;
  private static final int FORK =
      Integer.parseInt(System.getProperty("everheap.fork", "fork 0").substring(5)) % 3;
  private static final AtomicInteger NEXT_PORT = new AtomicInteger();

  private final Path log;
  private final Process process;
  private final BufferedReader answers;
  private final BufferedWriter requests;
  private final int managementPort;

  private Node(Process process, Path log, int managementPort) {
    this.process = process;
    this.log = log;
    this.managementPort = managementPort;
    this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    this.requests = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), UTF_8));
  }

  /** Files and directories in a directory that a node may change meanwhile. */
  static List<Path> files(Path directory, Predicate<Path> wanted) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        directory,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return visitFile(path, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            if (wanted.test(path)) {
              found.add(path);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // deleted since its directory was read
            }
            throw e;
          }
        });
    return found;
  }

  /** Starts a node, again if the directory has one; returns when it serves. */
  static Node start(Path directory, String durability) throws IOException {
    Node node = launch(directory, durability, "");
    node.answer();
    return node;
  }

  /**
   * Starts a node without waiting for its first answer, which is empty.
   *
   * @param more lines of its configuration
   */
  static Node launch(Path directory, String durability, String more) throws IOException {
    return launch(directory, directory, durability, more, "everheap", NodeCache.options());
  }

  /**
   * Starts a node of another one's cluster, without waiting for its first answer.
   *
   * @param seed directory of the other node
   */
  static Node join(Path directory, Path seed, String more) throws IOException {
    return launch(directory, seed, "10ms", more, "everheap", NodeCache.options());
  }

  /** Starts a node whose memtable configuration has another name than {@code everheap}. */
  static Node renamed(Path directory, String memtable) throws IOException {
    return launch(directory, directory, "10ms", "", memtable, NodeCache.options());
  }

  /**
   * Starts a node with other options of the JVM than those of the cache; returns when it serves.
   */
  static Node recording(Path directory, List<String> options) throws IOException {
    Node node = launch(directory, directory, "10ms", "", "everheap", options);
    node.answer();
    return node;
  }

  private static Node launch(
      Path directory,
      Path seed,
      String durability,
      String more,
      String memtable,
      List<String> options)
      throws IOException {
    Path log = directory.resolve("log");
    Path config = directory.resolve("cassandra.yaml");
    int managementPort = freePort();
    Files.writeString(config, configuration(directory, seed, durability, memtable) + more);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:-UsePerfData",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable", // the standard output is for answers
            "-Xlog:all=warning:stderr",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.rmi/sun.rmi.registry=ALL-UNNAMED",
            "--add-exports=java.rmi/sun.rmi.server=ALL-UNNAMED",
            "--add-exports=java.management.rmi/com.sun.jmx.remote.internal.rmi=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dcassandra.config=" + config.toUri(),
            "-Dcassandra.storagedir=" + directory,
            "-Dlogback.configurationFile=logback-node.xml",
            "-Dcassandra.skip_wait_for_gossip_to_settle=0",
            "-Dcassandra.ring_delay_ms=100",
            "-Dcassandra.superuser_setup_delay_ms=0",
            // 6.0-alpha2 does not clean system_schema of compactions that a kill ended: the next
            // one of the same tables keeps a node from starting ever again
            "-Dcassandra.autocompaction_on_startup_enabled=false",
            // JDK 25 refuses what Cassandra's own server of JMX asks for each connection
            "-Dcom.sun.management.jmxremote.port=" + managementPort,
            "-Dcom.sun.management.jmxremote.host=127.0.0.1",
            "-Djava.rmi.server.hostname=127.0.0.1",
            "-Dcom.sun.management.jmxremote.authenticate=false",
            "-Dcom.sun.management.jmxremote.ssl=false"));
    command.addAll(options);
    command.add(NodeMain.class.getName());
    Process process =
        new ProcessBuilder(command)
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new Node(process, log, managementPort);
  }

  private static String configuration(Path directory, Path seed, String durability, String memtable)
      throws IOException {
    return String.format(
        Locale.ROOT,
        """
        cluster_name: test
        partitioner: org.apache.cassandra.dht.Murmur3Partitioner
        seed_provider:
          - class_name: org.apache.cassandra.locator.SimpleSeedProvider
            parameters: [{seeds: "127.0.0.1:%4$d"}]
        listen_address: 127.0.0.%5$d
        storage_port: %1$d
        start_native_transport: false
        endpoint_snitch: SimpleSnitch
        num_tokens: 4
        commitlog_sync: batch
        request_timeout: 30s
        read_request_timeout: 30s
        range_request_timeout: 30s
        cas_contention_timeout: 30s
        write_request_timeout: 10s
        data_file_directories: [%2$s/data]
        commitlog_directory: %2$s/commitlog
        saved_caches_directory: %2$s/caches
        hints_directory: %2$s/hints
        cdc_raw_directory: %2$s/cdc
        accord:
          journal_directory: %2$s/accord
        memtable:
          configurations:
            %6$s:
              class_name: io.everheap.cassandra.EverheapMemtable
              parameters:
                durability: %3$s
                shards: "3"
        """,
        port(directory),
        directory,
        durability,
        port(seed),
        seed.equals(directory) ? 1 : 2,
        memtable);
  }

  /** The same at each start, since the node is known by it. */
  private static int port(Path directory) throws IOException {
    Path file = directory.resolve("port");
    if (!Files.exists(file)) {
      Files.writeString(file, String.valueOf(freePort()));
    }
    return Integer.parseInt(Files.readString(file));
  }

  /**
   * A port that no other process gets while a node is not running: it is below those that the
   * operating system chooses, and each of the processes that test side by side has its own.
   */
  private static int freePort() throws IOException {
    while (true) {
      int port = FIRST_PORT + FORK * PORTS + NEXT_PORT.getAndIncrement() % PORTS;
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (BindException e) {
        // another one
      }
    }
  }

  /** Runs a statement or a command; returns the rows as text. */
  List<String> run(String request) throws IOException {
    send(request);
    List<String> answer = answer();
    if (answer.size() == 1 && answer.getFirst().startsWith("ERROR")) {
      throw new IllegalStateException(request + ": " + answer.getFirst());
    }
    return answer;
  }

  /** Sends a statement without waiting for the answer. */
  void send(String request) throws IOException {
    requests.write(request);
    requests.newLine();
    requests.flush();
  }

  /** Runs Cassandra's nodetool in a process of its own. */
  void nodetool(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto"));
    command.add("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED");
    command.add("--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED");
    command.add("-Duser.home=" + log.getParent()); // it keeps a history there
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of("org.apache.cassandra.tools.NodeTool", "-h", "127.0.0.1"));
    command.addAll(List.of("-p", String.valueOf(managementPort)));
    command.addAll(List.of(arguments));
    Process tool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(tool.getInputStream().readAllBytes(), UTF_8);
    if (tool.waitFor() != 0) {
      throw new IOException("nodetool " + List.of(arguments) + ": " + output);
    }
  }

  /** Waits for the next answer. */
  List<String> answer() throws IOException {
    return answer(Limit.of(Duration.ofMinutes(3)));
  }

  /** Waits for the next answer; ends a node that does not give it in this time. */
  List<String> answer(Duration patience) throws IOException {
    Future<?> end =
        ForkJoinPool.commonPool().schedule(this::end, patience.toMillis(), TimeUnit.MILLISECONDS);
    try {
      String count = answers.readLine();
      if (count == null) {
        throw new IOException("the node ended; its log:\n" + log());
      }
      List<String> lines = new ArrayList<>();
      for (int i = Integer.parseInt(count); i > 0; i--) {
        lines.add(answers.readLine());
      }
      return lines;
    } finally {
      end.cancel(false);
    }
  }

  /** Ends the process; its log tells what its threads did, if they could be asked. */
  private boolean end() throws IOException, InterruptedException {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
              String.valueOf(process.pid()),
              "Thread.print")
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
          .start()
          .waitFor(Limit.limit());
    } finally {
      process.destroyForcibly();
    }
  }

  /** What the node wrote to its log. */
  String log() throws IOException {
    return Files.readString(log);
  }

  /** Tells the node to end, and waits until its process has. */
  void stop() throws IOException, InterruptedException {
    requests.close();
    while (answers.readLine() != null) {
      // what the JVM says of its cache
    }
    if (!process.waitFor(Limit.of(Duration.ofMinutes(3)))) {
      throw new IOException("the node does not end; its log:\n" + log());
    }
  }

  /** Kills the process. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly); // one that assembles a cache
    process.destroyForcibly();
  }
}
