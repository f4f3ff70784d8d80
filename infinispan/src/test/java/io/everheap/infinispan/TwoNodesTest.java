package io.everheap.infinispan;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.tier.Nodes;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.infinispan.configuration.cache.CacheMode;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two nodes of a cluster, each a process with a store of its own: one joins while the other one
 * writes, and each is killed and started again. Each of them has every change that was
 * acknowledged.
 */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Nodes
class TwoNodesTest {
  private static final int FREE_BESIDE = 100; // FD_SOCK2 takes the port at this distance

  /** Below the ports that a system gives to whoever asks for any: they stay free over kills. */
  private static final int LEAST_PORT = 20_000;

  private static final int MOST_PORT = 32_000;

  @TempDir Path directory;

  private final String[] ports = new String[2];

  @ParameterizedTest
  @CsvSource({"DIST_SYNC, false", "DIST_SYNC, true", "REPL_SYNC, false", "REPL_SYNC, true"})
  void eachNodeHasWhatWasAcknowledged(CacheMode mode, boolean passivation) throws Exception {
    choosePorts();
    Node first = null;
    Node second = null;
    try {
      first = new Node(0, mode, passivation, true);
      first.ask("write 0 500");
      first.tell("write 500 " + ClusterNode.ALL_NODES_THERE);
      second = new Node(1, mode, passivation, false); // it joins meanwhile
      first.answers("done");
      first.ask("check 1500");
      second.ask("check 1500");

      second.kill();
      first.ask("write 1500 2000");
      second = new Node(1, mode, passivation, false);
      second.ask("check 2000");
      first.ask("check 2000");

      first.kill();
      second.ask("write 2000 2500");
      first = new Node(0, mode, passivation, false);
      first.ask("check 2500");
      second.ask("check 2500");

      if (!passivation) { // with it, what is in memory is not in the store
        first.kill();
        second.kill();
        second = new Node(1, mode, false, true);
        second.ask("check 2500");
        first = new Node(0, mode, false, false);
        first.ask("check 2500");
      }
    } finally {
      kill(first);
      kill(second);
    }
  }

  private static void kill(Node node) throws Exception {
    if (node != null) {
      node.kill();
    }
  }

  private void choosePorts() {
    int first = freePort();
    int second = freePort();
    while (second == first || Math.abs(second - first) == FREE_BESIDE) {
      second = freePort();
    }
    ports[0] = Integer.toString(first);
    ports[1] = Integer.toString(second);
  }

  private static int freePort() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(LEAST_PORT, MOST_PORT);
      if (isFree(port) && isFree(port + FREE_BESIDE)) {
        return port;
      }
    }
  }

  private static boolean isFree(int port) {
    try {
      new ServerSocket(port, 1, InetAddress.getLoopbackAddress()).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** A process that is a node. */
  private final class Node {
    private final int number;
    private final Process process;
    private final BufferedReader said;
    private final BufferedWriter orders;

    Node(int number, CacheMode mode, boolean passivation, boolean alone) throws IOException {
      this.number = number;
      this.process =
          Killed.start(
              ClusterNode.class,
              directory.resolve("node" + number).toString(),
              mode.name(),
              Boolean.toString(passivation),
              ports[number],
              ports[1 - number],
              Boolean.toString(alone));
      this.said = process.inputReader(US_ASCII);
      this.orders = process.outputWriter(US_ASCII);
      answers("started with " + (alone ? 1 : 2));
    }

    void tell(String order) throws IOException {
      orders.write(order + "\n");
      orders.flush();
    }

    void answers(String expected) throws IOException {
      assertThat(said.readLine()).as("node %s", number).isEqualTo(expected);
    }

    void ask(String order) throws IOException {
      tell(order);
      answers("done");
    }

    void kill() throws InterruptedException {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
