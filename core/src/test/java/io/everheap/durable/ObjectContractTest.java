package io.everheap.durable;

import com.google.common.testing.EqualsTester;
import io.everheap.Heap;
import io.everheap.durable.Zoo.Account;
import io.everheap.durable.Zoo.Bean;
import io.everheap.durable.Zoo.Circle;
import io.everheap.durable.Zoo.Node;
import io.everheap.durable.Zoo.Primitives;
import io.everheap.durable.Zoo.Square;
import io.everheap.durable.Zoo.Values;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code Object} promises holds for the classes that the library generates. */
class ObjectContractTest {
  private static final List<Class<?>> TYPES =
      List.of(
          Primitives.class,
          Values.class,
          Node.class,
          Circle.class,
          Square.class,
          Account.class,
          Bean.class);

  @Test
  void handlesAreEqualIfTheyStandForOneObject() {
    try (Heap heap = Heap.inMemory();
        Heap other = Heap.inMemory()) {
      EqualsTester tester = new EqualsTester();
      for (Class<?> type : TYPES) {
        Object made = heap.object(type.getName(), type);
        tester.addEqualityGroup(made, heap.object(type.getName(), type));
        tester.addEqualityGroup(heap.create(type));
        tester.addEqualityGroup(other.create(type)); // maybe at the same address
      }
      tester.testEquals();
    }
  }

  @Test
  void theyStayEqualWhateverHappensToTheObject() {
    try (Heap heap = Heap.inMemory()) {
      Account account = heap.create(Account.class);
      heap.map("accounts", String.class, Account.class).put("ada", account);
      Account before = heap.map("accounts", String.class, Account.class).get("ada");
      heap.transact(
          () -> {
            account.deposit(7);
            Account inside = heap.map("accounts", String.class, Account.class).get("ada");
            new EqualsTester().addEqualityGroup(account, before, inside).testEquals();
          });
      heap.map("accounts", String.class, Account.class).remove("ada");
      heap.free(account);
      new EqualsTester()
          .addEqualityGroup(account, before)
          .addEqualityGroup(heap.create(Account.class)) // in the same place
          .testEquals();
    }
  }
}
