package io.everheap.cassandra;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.ColumnSpecification;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.db.ColumnFamilyStore.FlushReason;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.gms.Gossiper;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.MemtableParams;
import org.apache.cassandra.service.CassandraDaemon;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.service.StorageService;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.service.snapshot.SnapshotManager;
import org.apache.cassandra.transport.Dispatcher;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.apache.cassandra.utils.progress.ProgressEventType;

/**
 * A real node that a test starts and kills. It takes a statement of CQL a line, or a command that
 * begins with a colon, and answers each with the number of lines that follow, and these.
 */
public final class NodeMain {
  private static final Daemon DAEMON = new Daemon();

  /** One that does not say that it has started before it is told to, if there is a file. */
  private static final class Daemon extends CassandraDaemon {
    private volatile boolean starting =
        Files.exists(Path.of(System.getProperty("cassandra.storagedir"), "starting"));

    @Override
    public boolean setupCompleted() {
      return !starting && super.setupCompleted();
    }
  }

  private NodeMain() {}

  /** Starts the node. */
  public static void main(String[] args) throws Exception {
    PrintStream out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    System.setOut(System.err);
    DAEMON.activate(false); // ends the process if the node cannot start
    StorageService.instance.setRpcReady(true); // counters ask for a node that has clients
    out.println("0");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String answer;
      try {
        answer = line.startsWith(":") ? command(line.substring(1).split(" ")) : query(line);
      } catch (Throwable e) {
        e.printStackTrace();
        answer = "ERROR " + e;
      }
      String[] lines = answer.isEmpty() ? new String[0] : answer.split("\n");
      out.println(lines.length);
      for (String text : lines) {
        out.println(text);
      }
    }
    System.exit(0);
  }

  private static String query(String cql) {
    QueryState state = QueryState.forInternalCalls();
    ResultMessage result =
        QueryProcessor.instance.process(
            QueryProcessor.parseStatement(cql, state.getClientState()),
            state,
            QueryOptions.forInternalCalls(ConsistencyLevel.ONE, List.of()),
            Map.of(),
            Dispatcher.RequestTime.forImmediateExecution());
    return result instanceof ResultMessage.Rows rows
        ? text(UntypedResultSet.create(rows.result))
        : "";
  }

  /** The rows of a query that is asked in pages, with an empty line between them. */
  private static String pages(int size, String cql) {
    QueryState state = QueryState.forInternalCalls();
    CQLStatement statement = QueryProcessor.parseStatement(cql, state.getClientState());
    StringBuilder all = new StringBuilder();
    PagingState next = null;
    do {
      QueryOptions options =
          QueryOptions.create(
              ConsistencyLevel.ONE,
              List.of(),
              false,
              size,
              next,
              null,
              ProtocolVersion.CURRENT,
              null);
      ResultMessage.Rows rows =
          (ResultMessage.Rows)
              QueryProcessor.instance.process(
                  statement,
                  state,
                  options,
                  Map.of(),
                  Dispatcher.RequestTime.forImmediateExecution());
      all.append(text(UntypedResultSet.create(rows.result))).append('\n');
      next = rows.result.metadata.getPagingState();
    } while (next != null);
    return all.toString();
  }

  private static NodeStore store() {
    return NodeStore.of(((MemtableFactory) MemtableParams.get("everheap").factory()).options());
  }

  private static Generations generations() {
    return store().generations();
  }

  /** Whether all that was written survives power loss. */
  private static boolean isDurable() {
    return store().store().stats().heaps().stream()
        .allMatch(shard -> shard.durableLsn() >= shard.appendedLsn());
  }

  private static String text(UntypedResultSet rows) {
    StringBuilder lines = new StringBuilder();
    for (UntypedResultSet.Row row : rows) {
      for (ColumnSpecification column : row.getColumns()) {
        String name = column.name.toString();
        String value = row.has(name) ? column.type.getString(row.getBytes(name)) : "null";
        lines.append(name).append('=').append(value).append(' ');
      }
      lines.append('\n');
    }
    return lines.toString();
  }

  private static String command(String[] words) throws Exception {
    return switch (words[0]) {
      case "flush" -> {
        StorageService.instance.forceKeyspaceFlush(words[1], words[2]);
        yield "";
      }
      case "drain" -> {
        StorageService.instance.drain();
        yield "";
      }
      case "snapshot" -> {
        SnapshotManager.instance.takeSnapshot(words[3], Map.of(), words[1] + "." + words[2]);
        yield "";
      }
      case "repair" -> repair(words[1], words[2]);
      case "decommission" -> {
        StorageService.instance.decommission(true);
        yield "";
      }
      // What this node has, without asking others.
      case "local" ->
          text(QueryProcessor.executeInternal("SELECT * FROM " + words[1] + "." + words[2]));
      // The nodes that are up, each with a number that another start of it changes.
      case "live" -> {
        StringBuilder live = new StringBuilder();
        for (InetAddressAndPort other : Gossiper.instance.getLiveMembers()) {
          live.append(other).append(' ');
          live.append(Gossiper.instance.getCurrentGenerationNumber(other)).append('\n');
        }
        yield live.toString();
      }
      case "generations" -> String.join("\n", generations().tables());
      case "durable" -> String.valueOf(isDurable());
      // The next flush of the table does not begin, ever.
      case "hold" -> {
        Holds.hold(table(words));
        yield "";
      }
      // Begins a statement, and waits until it switched the memtable of a table that is held.
      case "begin" -> {
        String statement = rest(words, 1);
        Thread.ofPlatform().daemon().start(() -> query(statement));
        Holds.await();
        yield "";
      }
      case "started" -> {
        DAEMON.starting = false;
        yield "";
      }
      case "within" -> {
        Moments.within(table(words), rest(words, 3));
        yield "";
      }
      case "write" -> {
        Moments.begin(rest(words, 1));
        yield "";
      }
      case "endwrite" -> {
        Moments.endWithinSnapshot(table(words));
        yield "";
      }
      case "segments" -> String.valueOf(Moments.segments(table(words)));
      // Asks a memtable, as if what was to be done then failed.
      case "ask" -> {
        ColumnFamilyStore table = table(words);
        yield String.valueOf(
            table
                .getTracker()
                .getView()
                .getCurrentMemtable()
                .shouldSwitch(FlushReason.valueOf(words[3]), table.metadata()));
      }
      case "page" -> pages(Integer.parseInt(words[1]), rest(words, 2));
      case "drop" -> {
        EverheapMemtable last;
        ColumnFamilyStore dropped = table(words);
        query("DROP TABLE " + words[1] + "." + words[2]);
        last = (EverheapMemtable) dropped.getTracker().getView().getCurrentMemtable();
        last.purge();
        yield "";
      }
      case "purge" ->
          String.valueOf(
              ((EverheapMemtable) table(words).getTracker().getView().getCurrentMemtable())
                  .purge());
      case "partitions" ->
          String.valueOf(table(words).getTracker().getView().getCurrentMemtable().partitionCount());
      case "sstables" -> String.valueOf(table(words).getLiveSSTables().size());
      default -> throw new IllegalArgumentException(words[0]);
    };
  }

  private static String rest(String[] words, int from) {
    return String.join(" ", List.of(words).subList(from, words.length));
  }

  private static String repair(String keyspace, String incremental) throws Exception {
    List<String> failures = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> complete = new CompletableFuture<>();
    StorageService.instance.repair(
        keyspace,
        Map.of("incremental", incremental, "parallelism", "parallel"),
        List.of(
            (tag, event) -> {
              if (event.getType() == ProgressEventType.ERROR) {
                failures.add(event.getMessage());
              } else if (event.getType() == ProgressEventType.COMPLETE) {
                complete.complete(null);
              }
            }));
    complete.get();
    if (!failures.isEmpty()) {
      throw new IllegalStateException(String.join("; ", failures));
    }
    return "";
  }

  private static ColumnFamilyStore table(String[] words) {
    return Keyspace.open(words[1]).getColumnFamilyStore(words[2]);
  }
}
