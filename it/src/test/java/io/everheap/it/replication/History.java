package io.everheap.it.replication;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the clients of all nodes saw. Thread-safe. */
final class History {
  private final List<Done> done = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Report> unknown = new ArrayList<>();

  private record Done(Operation operation, long sequence, Node node) {}

  /** The part of a node: a line of the history that ends when another node takes over. */
  final class Node {
    private final Map<Integer, Report> open = new HashMap<>();
    private long returned;
    private long lastKept = Long.MAX_VALUE; // beyond it the history went on elsewhere

    private Node() {}

    void called(Report report) {
      synchronized (History.this) {
        open.put(report.client(), report);
      }
    }

    void returned(Report report) {
      synchronized (History.this) {
        Report call = open.remove(report.client());
        if (call == null) {
          throw new IllegalStateException("nothing was called: " + report);
        }
        done.add(new Done(operation(call, report), report.sequence(), this));
        returned++;
      }
    }

    long returned() {
      synchronized (History.this) {
        return returned;
      }
    }
  }

  private static Operation operation(Report call, Report end) {
    return new Operation(
        Operation.Kind.of(call.kind()),
        call.key(),
        call.value(),
        call.expected(),
        end.found(),
        call.nanos(),
        end.about() == Report.RETURNED ? end.nanos() : Operation.NEVER);
  }

  synchronized Node node() {
    Node made = new Node();
    nodes.add(made);
    return made;
  }

  /**
   * A node goes on behind a transaction: what the clients of all others were told of later ones is
   * lost, and must not be if there were copies.
   *
   * @return how many acknowledged operations are lost by that
   */
  synchronized int goOn(Node heir, long sequence) {
    int before = lost();
    for (Node node : nodes) {
      if (node != heir) {
        node.lastKept = Math.min(node.lastKept, sequence);
      }
    }
    return lost() - before;
  }

  /** The node is gone: nobody knows about its open calls. */
  synchronized void end(Node node) {
    unknown.addAll(node.open.values());
    node.open.clear();
  }

  synchronized int size() {
    return done.size();
  }

  /** How many operations are lost that were acknowledged. */
  synchronized int lost() {
    return (int) done.stream().filter(d -> d.sequence > d.node.lastKept).count();
  }

  /** The first operation that no order of the others explains, of what is not lost. */
  synchronized Optional<Operation> violation() {
    for (int key = 0; key < RegisterNode.REGISTERS; key++) {
      int register = key;
      List<Operation> history = new ArrayList<>();
      done.stream()
          .filter(d -> d.operation.key() == register && d.sequence <= d.node.lastKept)
          .forEach(d -> history.add(d.operation));
      unknown.stream().filter(r -> r.key() == register).forEach(r -> history.add(operation(r, r)));
      Optional<Operation> found = RegisterChecker.violation(0, history);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }
}
