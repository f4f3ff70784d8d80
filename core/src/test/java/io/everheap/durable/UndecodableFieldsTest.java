package io.everheap.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.Undecodable;
import io.everheap.error.CorruptValueException;
import io.everheap.report.VerifyReport;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneRules;
import java.time.zone.ZoneRulesException;
import java.time.zone.ZoneRulesProvider;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A field whose value this program cannot decode blocks no other field, and can be written. */
class UndecodableFieldsTest {
  private static final String ZONE = "Test/Arcadia";

  /** Whether the program is one that does not decode the bad values. */
  private static boolean later;

  /** A record whose constructor refuses what it accepted when it was stored. */
  record Amount(int number) {
    Amount {
      if (later && number < 0) {
        throw new IllegalArgumentException("negative");
      }
    }
  }

  @Durable
  interface Account {
    String owner();

    void owner(String value);

    Amount amount();

    void amount(Amount value);

    List<Amount> amounts();

    void amounts(List<Amount> value);

    ZoneId zone();

    void zone(ZoneId value);

    ZonedDateTime opened();

    void opened(ZonedDateTime value);

    Account parent();

    void parent(Account value);

    default Amount twice() {
      return new Amount(2 * amount().number());
    }
  }

  /** Has a time zone that a later JVM lacks. */
  private static final class Zones extends ZoneRulesProvider {
    @Override
    protected Set<String> provideZoneIds() {
      return Set.of(ZONE);
    }

    @Override
    protected @Nullable ZoneRules provideRules(String zoneId, boolean forCaching) {
      if (later) {
        throw new ZoneRulesException("Unknown time-zone ID: " + zoneId);
      }
      return forCaching ? null : ZoneRules.of(ZoneOffset.UTC);
    }

    @Override
    protected NavigableMap<String, ZoneRules> provideVersions(String zoneId) {
      return new TreeMap<>();
    }
  }

  static {
    ZoneRulesProvider.registerProvider(new Zones());
  }

  @TempDir private Path directory;
  @TempDir private Path classes;
  private Heap heap;
  private Account account;

  @BeforeEach
  @SuppressWarnings("InvalidZoneId") // the test registers it
  void storeAsTheEarlierProgram() {
    later = false;
    heap = ObjectHeaps.builder(directory).lookup(MethodHandles.lookup()).open();
    account =
        heap.object(
            "account",
            Account.class,
            a -> {
              a.owner("alice");
              a.amount(new Amount(-1));
              a.amounts(List.of(new Amount(1), new Amount(-1)));
              a.zone(ZoneId.of(ZONE));
              a.opened(ZonedDateTime.of(2026, 1, 2, 3, 4, 5, 6, ZoneId.of(ZONE)));
              a.parent(heap.create(Account.class, p -> p.owner("bob")));
            });
    later = true;
  }

  @AfterEach
  void close() {
    later = false;
    heap.close();
  }

  @Test
  void otherFieldsAreReadAndWritten() {
    assertThat(account.owner()).isEqualTo("alice");
    account.owner("carol");
    assertThat(account.owner()).isEqualTo("carol");
    assertThat(account.parent().owner()).isEqualTo("bob");
    assertThat(account.parent().amount()).isNull();
  }

  @Test
  void theMessageNamesObjectFieldAndClass() {
    assertNamed(account::amount, "amount", Amount.class.getName());
    assertNamed(account::amounts, "amounts", Amount.class.getName());
    assertNamed(account::zone, "zone", "zone");
    assertNamed(account::opened, "opened", "zoned");
    assertNamed(account::twice, "amount", Amount.class.getName());
    assertThatThrownBy(account::amount).hasRootCauseMessage("negative");
  }

  private static void assertNamed(ThrowingCallable call, String field, String type) {
    assertThatThrownBy(call)
        .isInstanceOf(CorruptValueException.class)
        .hasMessageContaining("the field " + Account.class.getName() + '.' + field)
        .hasMessageContaining("of the object at ")
        .hasMessageContaining(type);
  }

  @Test
  void theTextShowsTheOthers() {
    assertThat(account.toString())
        .contains("owner=alice", "amount=<undecodable", "zone=<undecodable", "parent=");
  }

  @Test
  void theFieldIsWrittenWithoutDecodingIt() {
    account.amount(new Amount(7));
    account.amounts(null);
    account.zone(ZoneOffset.UTC);
    heap.transact(() -> account.opened(null));
    assertThat(account.amount()).isEqualTo(new Amount(7));
    assertThat(account.amounts()).isNull();
    assertThat(account.zone()).isEqualTo(ZoneOffset.UTC);
    assertThat(account.opened()).isNull();
    assertThat(account.twice()).isEqualTo(new Amount(14));
  }

  @Test
  void verifyFindsNoDamage() {
    VerifyReport report = heap.verify();
    assertThat(report.problems()).isEmpty();
    assertThat(report.ok()).isTrue();
    assertThat(report.undecodable())
        .hasSize(2)
        .allSatisfy(found -> assertThat(found.root()).isEqualTo("account"))
        .allSatisfy(found -> assertThat(found.message()).contains(ZONE));
    assertThat(report.undecodable())
        .extracting(VerifyReport.Problem::key)
        .allSatisfy(key -> assertThat(key).startsWith(Account.class.getName()));
  }

  @Test
  void toolsShowTheOthers() {
    Map<Object, Object> shown = new TreeMap<>();
    heap.entries("account").forEach(entry -> shown.put(entry.getKey(), entry.getValue()));
    assertThat(shown.get("owner")).isEqualTo("alice");
    assertThat(shown.get("zone")).isInstanceOf(Undecodable.class);
    assertThat(shown.get("opened")).isInstanceOf(Undecodable.class);
    assertThat(shown.get("amount")).hasToString("{number=-1}");
  }

  @Test
  void collectionsServeObjectsThatHaveThem() {
    DurableMap<String, Account> map = heap.map("map", String.class, Account.class);
    DurableList<Account> list = heap.list("list", Account.class);
    map.put("alice", account);
    list.add(account);
    assertThat(map.get("alice").owner()).isEqualTo("alice");
    assertThat(list.getFirst().parent().owner()).isEqualTo("bob");
    assertThat(map.toString()).contains("alice");
    assertThat(map.undecodable().hasNext()).isFalse();
    assertThat(list.indexOf(account)).isZero();
    map.put("alice", account.parent());
    assertThat(list.remove(account)).isTrue();
  }

  @Test
  void collectFreesObjectsThatHaveThem() {
    DurableList<Account> list = heap.list("list", Account.class);
    list.add(account);
    assertThat(heap.collect().objects()).isZero();
    assertThat(account.owner()).isEqualTo("alice");
    list.clear();
    heap.transact(
        () -> {
          later = false;
          Account garbage = heap.create(Account.class, a -> a.amount(new Amount(-1)));
          assertThat(garbage.amount().number()).isEqualTo(-1);
          later = true;
        });
    assertThat(heap.collect().objects()).isEqualTo(1);
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(account.parent().owner()).isEqualTo("bob");
  }

  @Test
  void theyAreFreedAndRemoved() {
    heap.free(account.parent());
    assertThat(heap.removeDeep("account")).isTrue();
    assertThat(heap.verify().problems()).isEmpty();
    assertThat(heap.collect().objects()).isZero();
  }

  /** An interface and a record, whose second version refuses what the first one stored. */
  private Compiled version(boolean second) {
    String record =
        second
            ? "(int number, String currency) { public Amount {"
                + " java.util.Objects.requireNonNull(currency, \"currency\"); } }"
            : "(int number) {}";
    String fields = "";
    for (String field : List.of("String owner", "Amount amount", "Amount limit")) {
      String[] parts = field.split(" ", 2);
      fields += field + "(); void " + parts[1] + "(" + parts[0] + " value); ";
    }
    String added = second ? "int rank(); void rank(int value); " : "";
    return Compiled.of(
        classes,
        "@Durable public interface Customer {" + fields + added + "}",
        "public record Amount" + record);
  }

  @Test
  void aFieldWhoseRecordRefusesEarlierValuesIsWrittenWithoutDecodingIt() {
    Path home = classes.resolve("heap");
    try (Heap earlier = ObjectHeaps.open(home)) {
      Compiled program = version(false);
      Object customer = earlier.object("customer", program.type("Customer"));
      Compiled.set(customer, "owner", "alice");
      Compiled.set(customer, "amount", program.make("Amount", 7));
      Compiled.set(customer, "limit", program.make("Amount", 8));
    }
    try (Heap now = ObjectHeaps.open(home)) {
      Compiled program = version(true);
      Object customer = now.object("customer", program.type("Customer"));
      assertThat(Compiled.get(customer, "owner")).isEqualTo("alice");
      Compiled.set(customer, "owner", "bob");
      for (String field : List.of("amount", "limit")) {
        assertThatThrownBy(() -> Compiled.get(customer, field))
            .isInstanceOf(CorruptValueException.class)
            .hasMessageContaining("the field bank.Customer." + field)
            .hasMessageContaining("record bank.Amount")
            .hasRootCauseMessage("currency");
      }
      // An added field has no room before the object is converted, which needs the values.
      assertThatThrownBy(() -> Compiled.set(customer, "rank", 3))
          .hasMessageContaining("the field bank.Customer.");
      assertThat(Compiled.get(customer, "owner")).isEqualTo("bob");
      Compiled.set(customer, "limit", null);
      assertThat(Compiled.get(customer, "limit")).isNull();
      Object euros = program.make("Amount", 7, "EUR");
      Compiled.set(customer, "amount", euros);
      assertThat(Compiled.get(customer, "amount")).isEqualTo(euros);
      Compiled.set(customer, "rank", 3);
      assertThat(Compiled.get(customer, "owner")).isEqualTo("bob");
      assertThat(Compiled.get(customer, "rank")).isEqualTo(3);
      assertThat(now.verify().problems()).isEmpty();
      assertThat(now.collect().objects()).isZero();
    }
  }
}
