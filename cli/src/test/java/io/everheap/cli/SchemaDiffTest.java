package io.everheap.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.everheap.Heap;
import io.everheap.durable.Durable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code schema diff}: what a class path would make of a heap. */
class SchemaDiffTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path temporary;

  enum Kind {
    PRIVATE,
    BUSINESS
  }

  @Durable(name = "bank.Account")
  interface Account {
    int balance();

    void balance(int value);

    String owner();

    void owner(String value);

    Kind kind();

    void kind(Kind value);
  }

  @Durable(name = "bank.Branch")
  interface Branch {
    long number();

    void number(long value);
  }

  @BeforeEach
  void makeAHeap() {
    try (Heap heap =
        Heap.builder(temporary.resolve("heap")).lookup(MethodHandles.lookup()).open()) {
      heap.object("account", Account.class, a -> a.owner("Ada"));
      heap.object("branch", Branch.class);
    }
  }

  private int diff(Path classPath, String... more) {
    String heap = temporary.resolve("heap").toString();
    List<String> arguments =
        new java.util.ArrayList<>(
            List.of("schema", "diff", heap, "--classpath", classPath.toString()));
    arguments.addAll(List.of(more));
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }

  private static String field(String type, String name) {
    return type + " " + name + "(); void " + name + "(" + type + " value); ";
  }

  private Path classes(String body) throws IOException {
    return compile(
        "Account.java",
        "package shop; import io.everheap.durable.*; import io.everheap.codec.*;"
            + "@Durable(name = \"bank.Account\") public interface Account {"
            + body
            + " Object LOADED = fail(); static Object fail() { throw new AssertionError(); }"
            + " enum Kind {PRIVATE, BUSINESS, STATE} }");
  }

  private Path compile(String file, String text) throws IOException {
    Path source = temporary.resolve(file);
    Files.writeString(source, text);
    Path classes = temporary.resolve("classes");
    String library = Heap.class.getProtectionDomain().getCodeSource().getLocation().getPath();
    int result =
        ToolProvider.findFirst("javac")
            .orElseThrow()
            .run(
                System.out,
                System.err,
                "-proc:none",
                "-cp",
                library,
                "-d",
                classes.toString(),
                source.toString());
    assertThat(result).isZero();
    return classes;
  }

  @Test
  void whatEvolvesIsToldWithWhatWillHappen() throws Exception {
    Path classes =
        classes(
            field("long", "balance")
                + field("int", "rank")
                + "@Was(\"owner\") String holder(); void holder(String value); "
                + field("Kind", "kind"));
    assertThat(diff(classes)).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("~ bank.Account (shop.Account): compatible")
        .contains("~ balance: stored int, wanted long")
        .contains("widened")
        .contains("~ rank: wanted int")
        .contains("new: 0 in stored objects")
        .contains("renamed from owner")
        .contains("constants added: STATE")
        .contains("? bank.Branch: no class on the class path");
  }

  @Test
  void whatCannotBeReadIsRefused() throws Exception {
    Path classes = classes(field("String", "balance") + field("String", "owner"));
    assertThat(diff(classes)).isEqualTo(1);
    assertThat(out.toString())
        .contains("! bank.Account (shop.Account): refused")
        .contains("! balance: stored int, wanted string")
        .contains("give the field its stored type back")
        .contains("~ kind: stored enum")
        .contains("removed: the value stays until a write converts the object");
  }

  private Path prices(String components) throws IOException {
    String name = Price.class.getName();
    Path classes =
        compile(
            "Price.java",
            "package shop; import io.everheap.codec.*;"
                + String.format(
                    Locale.ROOT, "@Was(\"%s\") public record Price(%s) {}", name, components));
    try (Heap heap = Heap.builder(temporary.resolve("heap")).open()) {
      heap.map("prices", String.class, Price.class).put("tea", new Price(300));
      heap.list("list", Price.class).add(new Price(1));
    }
    return classes;
  }

  /** The value of a map. */
  public record Price(int cents) {}

  @Test
  void recordsThatEvolveAreToldToo() throws Exception {
    assertThat(diff(prices("@Was(\"cents\") long amount, String currency"))).isZero();
    assertThat(out.toString())
        .contains("~ shop.Price (shop.Price): compatible")
        .contains("~ root \"prices\", value: stored record")
        .doesNotContain("? " + Price.class.getName());
  }

  @Test
  void recordsThatCannotBeReadAreRefused() throws Exception {
    assertThat(diff(prices("short cents"))).isEqualTo(1);
    assertThat(out.toString())
        .contains("! shop.Price (shop.Price): refused")
        .contains("! root \"list\", element")
        .contains("component cents of " + Price.class.getName() + ": stored int, wanted short");
  }

  @Test
  void recordsWithoutAClassAreNamed() throws Exception {
    prices("int cents");
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    assertThat(diff(empty)).isZero();
    assertThat(out.toString()).contains("? " + Price.class.getName() + ": no class");
  }

  @Test
  void aClassThatNobodyCanUseIsRefused() throws Exception {
    assertThat(diff(classes("int balance();"))).isEqualTo(1);
    assertThat(out.toString()).contains("nothing writes this field");
  }

  @Test
  void jarsAreReadAndTheResultIsJsonOnDemand() throws Exception {
    Path classes =
        classes(field("int", "balance") + field("String", "owner") + field("Kind", "kind"));
    Path jar = temporary.resolve("shop.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream target = new JarOutputStream(file)) {
      for (String name : List.of("shop/Account.class", "shop/Account$Kind.class")) {
        target.putNextEntry(new JarEntry(name));
        target.write(Files.readAllBytes(classes.resolve(name)));
      }
    }
    assertThat(diff(jar, "--json")).as(err.toString()).isZero();
    JsonNode result = new ObjectMapper().readTree(out.toString());
    assertThat(result.get("classes").get(0).get("kind").asText()).isEqualTo("compatible");
    assertThat(result.get("withoutClass").get(0).asText()).isEqualTo("bank.Branch");
  }

  @Test
  void aClassPathThatDoesNotExistIsNamed() {
    assertThat(diff(temporary.resolve("none.jar"))).isNotZero();
    assertThat(err.toString()).contains("none.jar");
  }

  @Test
  void whatIsNeitherAJarNorADirectoryIsNamed() throws Exception {
    for (String name : List.of("classes.txt", "classes.jar")) {
      Path file = Files.writeString(temporary.resolve(name), "no jar");
      assertThat(diff(file)).isEqualTo(1);
      assertThat(err.toString()).contains(name).doesNotContain("\tat ");
      err.getBuffer().setLength(0);
    }
  }
}
