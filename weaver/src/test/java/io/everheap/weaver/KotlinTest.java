package io.everheap.weaver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.everheap.Heap;
import io.everheap.support.tier.Campaign;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jetbrains.kotlin.cli.common.ExitCode;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Interfaces with properties, and plain classes that are woven, as Kotlin compiles them. */
@Campaign
class KotlinTest {
  private static final String SOURCE =
      """
      package bank

      import io.everheap.Heap
      import io.everheap.durable.Atomic
      import io.everheap.durable.Durable
      import io.everheap.durable.OnAttach
      import io.everheap.collection.DurableMap

      enum class Color { RED, GREEN }

      data class Point(val x: Int, val y: Int)

      @Durable
      interface Account {
        var owner: String?
        var balance: Long
        var isOpen: Boolean
        var parent: Account?
        var color: Color?
        val doubled: Long get() = 2 * balance

        fun deposit(amount: Long) {
          balance += amount
        }

        @Atomic
        fun moveTo(other: Account, amount: Long) {
          balance -= amount
          other.balance += amount
          check(balance >= 0) { "overdrawn" }
        }
      }

      @Durable
      abstract class Party(val name: String) {
        @Transient
        var greeting = ""
          private set

        init {
          greet()
        }

        @OnAttach
        private fun greet() {
          greeting = "Hello, $name"
        }
      }

      @Durable
      class Customer(name: String, var points: Int = 3) : Party(name) {
        var account: Account? = null
        lateinit var color: Color
        private val friends = mutableSetOf<String>().joinToString()

        @Atomic
        fun earn(more: Int) {
          points += more
          require(points < 100) { "too many: $points, $friends" }
        }

        fun total(): Long = points + (account?.let { it.balance } ?: 0L)

        companion object {
          const val MOST = 100
        }
      }

      fun fill(heap: Heap) {
        val accounts: DurableMap<String, Account> =
          heap.map("accounts", String::class.java, Account::class.java)
        heap.transact<RuntimeException> {
          val savings = heap.create(Account::class.java) { it.owner = "Ada" }
          savings.deposit(20)
          savings.isOpen = true
          savings.color = Color.GREEN
          savings.parent = savings
          accounts["savings"] = savings
          accounts["other"] = heap.create(Account::class.java)
          val ada = Customer("Ada")
          ada.account = savings
          ada.color = Color.RED
          heap.map("customers", Int::class.javaObjectType, Customer::class.java)[1] = ada
        }
      }

      fun describe(heap: Heap): String {
        val account = heap.map("accounts", String::class.java, Account::class.java)["savings"]!!
        val ada = heap.map("customers", Int::class.javaObjectType, Customer::class.java)[1]!!
        return listOf(
            account.owner, account.doubled, account.isOpen, account.color, account.parent == account,
            ada.greeting, ada.points, ada.color, ada.total())
          .joinToString()
      }

      fun overdraw(heap: Heap) {
        val accounts = heap.map("accounts", String::class.java, Account::class.java)
        accounts["savings"]!!.moveTo(accounts["other"]!!, 21)
      }

      fun earn(heap: Heap, points: Int) =
        heap.map("customers", Int::class.javaObjectType, Customer::class.java)[1]!!.earn(points)

      fun add(heap: Heap): Int =
        heap.transact<Int, RuntimeException> {
          val customers = heap.map("customers", Int::class.javaObjectType, Customer::class.java)
          customers[2] = Customer("Bob", 7)
          customers.size
        }
      """;

  private static Program program;

  @TempDir private Path directory;

  @BeforeAll
  static void compile(@TempDir Path directory) throws IOException {
    program = Program.of(Program.weave(compiled(directory)));
  }

  private static Map<String, byte[]> compiled(Path directory) throws IOException {
    Path source = Files.writeString(directory.resolve("bank.kt"), SOURCE);
    Path out = directory.resolve("classes");
    ByteArrayOutputStream messages = new ByteArrayOutputStream();
    ExitCode result =
        new K2JVMCompiler()
            .exec(
                new PrintStream(messages, true, StandardCharsets.UTF_8),
                "-no-reflect",
                "-jvm-target",
                "25",
                "-classpath",
                System.getProperty("java.class.path"),
                "-d",
                out.toString(),
                source.toString());
    assertThat(result).as(messages.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.OK);
    Map<String, byte[]> classes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(out)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".class")).toList()) {
        String name = out.relativize(file).toString().replace(".class", "");
        classes.put(
            name.replace(file.getFileSystem().getSeparator(), "."), Files.readAllBytes(file));
      }
    }
    return classes;
  }

  private Heap open() {
    return Heap.open(directory.resolve("heap"));
  }

  @Test
  void propertiesAreFields() {
    String expected = "Ada, 40, true, GREEN, true, Hello, Ada, 3, RED, 23";
    try (Heap heap = open()) {
      program.call("BankKt", "fill", heap);
      assertThat(program.call("BankKt", "describe", heap)).isEqualTo(expected);
    }
    try (Heap heap = open()) {
      assertThat(program.call("BankKt", "describe", heap)).isEqualTo(expected);
      assertThat(program.call("BankKt", "add", heap)).isEqualTo(2);
      assertThat(heap.verify().problems()).isEmpty();
    }
  }

  @Test
  void atomicFunctionsHappenWhollyOrNotAtAll() {
    try (Heap heap = open()) {
      program.call("BankKt", "fill", heap);
      assertThatThrownBy(() -> program.call("BankKt", "overdraw", heap)).hasMessage("overdrawn");
      program.call("BankKt", "earn", heap, 1);
      assertThatThrownBy(() -> program.call("BankKt", "earn", heap, 96))
          .hasMessageStartingWith("too many: 100");
      assertThat(program.call("BankKt", "describe", heap))
          .isEqualTo("Ada, 40, true, GREEN, true, Hello, Ada, 4, RED, 24");
    }
  }

  @Test
  void aDataClassIsToldHowToBecomeAValue() {
    try (Heap heap = open()) {
      assertThatThrownBy(() -> heap.map("points", Long.class, program.type("Point")))
          .hasMessageContaining("annotate it with @JvmRecord")
          .hasMessageContaining("@Durable class")
          .hasMessageEndingWith("(EH-CODEC-UNSUPPORTED)");
    }
  }
}
