package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import io.everheap.collection.DurableMap;
import io.everheap.durable.Durable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code schema}, and what {@code dump} and {@code verify} make of objects. */
class SchemaTest {
  private final StringWriter out = new StringWriter();

  @TempDir private Path temporary;

  enum Kind {
    PRIVATE,
    BUSINESS
  }

  @Durable(name = "bank.Account")
  interface Account {
    long balance();

    void balance(long value);

    String owner();

    void owner(String value);
  }

  @Durable(name = "bank.Account")
  interface LaterAccount {
    long balance();

    void balance(long value);

    String owner();

    void owner(String value);

    Kind kind();

    void kind(Kind value);

    LaterAccount parent();

    void parent(LaterAccount value);
  }

  private int run(String... arguments) {
    return Main.commandLine().setOut(new PrintWriter(out)).execute(arguments);
  }

  private String makeTwoVersions() {
    Path directory = temporary.resolve("bank");
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      heap.object("account", Account.class, a -> a.owner("Ada"));
    }
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      heap.object("account", LaterAccount.class).kind(Kind.BUSINESS);
      DurableMap<String, LaterAccount> all = heap.map("all", String.class, LaterAccount.class);
      heap.transact(() -> all.put("bob", heap.create(LaterAccount.class)));
    }
    return directory.toString();
  }

  @Test
  void theNewestVersionsAreShownLikeSource() {
    assertThat(run("schema", makeTwoVersions())).isZero();

    assertThat(out.toString())
        .contains("@Durable bank.Account {")
        .contains("  long balance; // field 1")
        .contains("  string owner; // field 2")
        .contains("Kind(PRIVATE,BUSINESS) kind; // field 3")
        .contains("  bank.Account parent; // field 4")
        .doesNotContain("older");
  }

  @Test
  void olderVersionsAreShownOnDemand() throws Exception {
    String directory = makeTwoVersions();
    assertThat(run("schema", directory, "--all")).isZero();
    assertThat(out.toString()).contains(", an older version");
    out.getBuffer().setLength(0);

    assertThat(run("schema", directory, "--json", "--all")).isZero();
    JsonNode types = new ObjectMapper().readTree(out.toString());
    assertThat(types).hasSize(2);
    assertThat(types.get(0).get("newest").asBoolean()).isFalse();
    assertThat(types.get(1).get("fields")).hasSize(4);
  }

  @Test
  void objectsAreDumpedAndVerifiedWithoutTheirInterfaces() {
    String directory = makeTwoVersions();
    assertThat(run("dump", directory, "--root", "account")).isZero();
    assertThat(out.toString())
        .contains("{\"key\":\"owner\",\"value\":\"Ada\"}")
        .contains("{\"key\":\"kind\",\"value\":\"BUSINESS\"}");
    out.getBuffer().setLength(0);
    assertThat(run("dump", directory, "--root", "all")).isZero();
    assertThat(out.toString()).contains("\"value\":{\"@object\":\"bank.Account@");
    assertThat(run("verify", directory)).isZero();
    assertThat(run("info", directory)).isZero();
  }

  @Test
  void objectsThatNothingLeadsToAreCollectedWithoutTheirInterfaces() throws Exception {
    String directory = makeTwoVersions();
    try (Heap heap = Heap.builder(Path.of(directory)).lookup(MethodHandles.lookup()).open()) {
      heap.map("all", String.class, LaterAccount.class).clear();
    }
    assertThat(run("collect", directory)).isZero();
    assertThat(out.toString())
        .startsWith("Freed 1 objects and 0 structures")
        .contains("1 objects and 1 structures are in use");
    out.getBuffer().setLength(0);

    assertThat(run("collect", directory, "--json")).isZero();
    JsonNode report = new ObjectMapper().readTree(out.toString());
    assertThat(report.get("outcome").asText()).isEqualTo("COMPLETE");
    assertThat(report.get("objects").asLong()).isZero();
    assertThat(run("collect", directory + "-none")).isEqualTo(1);
  }
}
