package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.durable.Durable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dump}, {@code verify} and {@code schema} of objects, without their classes. */
class ObjectInspectionTest {
  @Durable
  interface Customer {
    @Nullable String name();

    void name(@Nullable String value);

    @Nullable Customer friend();

    void friend(@Nullable Customer value);

    @Nullable Badge badge();

    void badge(@Nullable Badge value);

    @Nullable DurableList<Customer> known();

    void known(@Nullable DurableList<Customer> value);
  }

  record Badge(String color, Customer given) {}

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;
  private Path directory;

  @BeforeEach
  void aHeapWithObjects() {
    directory = temporary.resolve("shop");
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      Map<String, Customer> customers = heap.map("customers", String.class, Customer.class);
      Customer ada = heap.create(Customer.class, c -> c.name("Ada"));
      Customer bob = heap.create(Customer.class, c -> c.name("Bob"));
      Customer cid = heap.create(Customer.class, c -> c.name("Cid"));
      Customer gone = heap.create(Customer.class);
      heap.transact(
          () -> {
            ada.friend(bob);
            bob.friend(cid);
            cid.friend(ada);
            cid.badge(new Badge("red", gone));
            var known = heap.create(DurableList.of(Customer.class));
            known.add(cid);
            ada.known(known);
            customers.put("ada", ada);
          });
      heap.free(gone);
      heap.object("boss", Customer.class, c -> c.friend(cid));
    }
  }

  @Test
  void dumpShowsFieldsOfObjectsTwoLevelsDeep() throws IOException {
    JsonNode ada = dump("customers").get("value");
    assertThat(ada.get("@object").textValue()).contains("Customer@");
    assertThat(ada.get("name").textValue()).isEqualTo("Ada");
    assertThat(ada.at("/friend/name").textValue()).isEqualTo("Bob");
    assertThat(ada.at("/friend/friend").textValue()).contains("Customer@");
    assertThat(ada.at("/known/0/name").textValue()).isEqualTo("Cid");
  }

  @Test
  void dumpMarksCyclesAndWhatIsGone() throws IOException {
    JsonNode ada = dump("customers", "--objects", "9").get("value");
    JsonNode cid = ada.at("/friend/friend");
    assertThat(cid.get("name").textValue()).isEqualTo("Cid");
    assertThat(cid.get("friend").textValue()).isEqualTo(ada.get("@object").textValue());
    assertThat(ada.at("/known/0").textValue()).isEqualTo(cid.get("@object").textValue());
    assertThat(cid.at("/badge/color").textValue()).isEqualTo("red");
    assertThat(cid.at("/badge/given/stale").booleanValue()).isTrue();
  }

  @Test
  void dumpOfARootObjectShowsItsFields() throws IOException {
    assertThat(run("dump", directory.toString(), "--root", "boss", "--objects", "1")).isZero();
    assertThat(out.toString()).contains("\"key\":\"friend\"").contains("\"name\":\"Cid\"");
  }

  @Test
  void dumpFollowsNothingIfItIsTold() throws IOException {
    assertThat(dump("customers", "--objects", "0").get("value").isTextual()).isTrue();
  }

  @Test
  void verifyListsWhatIsGoneAndIsContent() {
    assertThat(run("verify", directory.toString())).isZero();
    assertThat(out.toString()).contains("DANGLING reference at", "Customer.badge").contains("OK: ");
  }

  private JsonNode dump(String root, String... options) throws IOException {
    String[] all = new String[4 + options.length];
    System.arraycopy(new String[] {"dump", directory.toString(), "--root", root}, 0, all, 0, 4);
    System.arraycopy(options, 0, all, 4, options.length);
    assertThat(run(all)).as(err.toString()).isZero();
    return MAPPER.readTree(out.toString());
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
