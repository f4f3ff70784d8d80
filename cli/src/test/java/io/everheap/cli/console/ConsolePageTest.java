package io.everheap.cli.console;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.Durability;
import io.everheap.Heap;
import io.everheap.cli.KeyOptions;
import io.everheap.collection.DurableList;
import io.everheap.collection.DurableMap;
import io.everheap.collection.DurableSortedMap;
import io.everheap.durable.Durable;
import io.everheap.support.tier.Browser;
import java.lang.invoke.MethodHandles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The console in a real browser. Pictures of its pages are kept in target/screenshots. The page's
 * errors are looked at while the server runs: a page that shows what happens reports its end.
 */
@Browser
class ConsolePageTest {
  /** A script, and characters that hide or turn what follows. */
  private static final String HOSTILE =
      "<img src=x onerror=\"window.harmed=1\"><script>window.harmed=1</script>\u0000\u001b[31m\u202e";

  /** About as long as a key can be. */
  private static final int LONGEST_KEY = 262_000;

  @Durable
  interface Person {
    @Nullable String name();

    void name(@Nullable String value);

    @Nullable Person friend();

    void friend(@Nullable Person value);
  }

  record Order(String article, int pieces, double price) {}

  @TempDir private static Path temporary;
  private static Chromium browser;

  @BeforeAll
  static void startTheBrowser() throws Exception {
    browser = Chromium.start(temporary.resolve("profile"));
  }

  @AfterAll
  static void endTheBrowser() {
    if (browser != null) {
      browser.close();
    }
  }

  private static Path shop(String name) {
    Path directory = temporary.resolve(name);
    try (Heap heap = Heap.builder(directory).lookup(MethodHandles.lookup()).open()) {
      DurableSortedMap<Long, Order> orders = heap.sortedMap("orders", Long.class, Order.class);
      DurableMap<String, Person> people = heap.map("people", String.class, Person.class);
      DurableMap<String, String> hostile = heap.map("hostile", String.class, String.class);
      DurableList<String> news = heap.list("news", String.class);
      heap.transact(
          () -> {
            for (long i = 0; i < 20_000; i++) {
              orders.put(i, new Order("article " + i % 97, (int) i % 7 + 1, i * 0.25));
            }
            Person ada = heap.create(Person.class, p -> p.name("Ada"));
            Person bob = heap.create(Person.class, p -> p.name("Bob"));
            ada.friend(bob);
            bob.friend(ada);
            people.put("first", ada);
            hostile.put(HOSTILE, "<b>bold</b>");
            hostile.put("long", "x".repeat(1 << 20) + HOSTILE);
            hostile.put("y".repeat(LONGEST_KEY), "of a long key");
            news.add("opened");
          });
      heap.transact(() -> orders.headMap(9_000L).clear());
    }
    return directory;
  }

  /** The command opens a file of its own that leads to the console. */
  @Test
  void theFileThatTheCommandOpensLeadsToThePage() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("led"), new KeyOptions(), 0)) {
      Path file = temporary.resolve("page.html");
      Files.writeString(file, ConsoleCommand.leadingTo(server.address()));
      browser.open(file.toUri().toString());
      browser.awaitText("Blocks by size");
    }
  }

  @Test
  void overviewMapAndVerifyInLightAndDark() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("seen"), new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.awaitText("Blocks by size");
      assertThat(browser.text("main")).contains("orders", "sorted map", "11,000", "closed");
      assertThat(browser.value("location.hash").textValue()).as("the token").isEmpty();
      browser.screenshot("overview");
      browser.dark(true);
      browser.screenshot("overview-dark");
      String dark = browser.value("getComputedStyle(document.body).backgroundColor").textValue();
      browser.size(400, 800);
      assertThat(browser.value("document.documentElement.scrollWidth").intValue())
          .as("nothing beside a narrow page")
          .isLessThanOrEqualTo(400);
      browser.screenshot("overview-narrow");
      browser.size(1280, 900);
      browser.dark(false);
      assertThat(browser.value("getComputedStyle(document.body).backgroundColor").textValue())
          .isNotEqualTo(dark);

      browser.click("Heap map");
      browser.awaitText("Chunk 0");
      browser.value(
          "document.querySelector('rect.k-slots').dispatchEvent("
              + "new MouseEvent('click', {bubbles: true}))");
      browser.awaitText("used");
      assertThat(browser.text("#chunk")).containsPattern("blocks of one size of .* used");
      browser.screenshot("heap-map");
      browser.value("document.querySelector('svg.grid').focus()");
      String before = browser.text("#chunk");
      browser.key("ArrowRight");
      browser.await("document.querySelector('#chunk').innerText !== '" + before + "'");

      browser.click("Verify");
      browser.click("Verify now");
      browser.awaitText("OK: no damage found");
      browser.screenshot("verify");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void entriesAreReadPageByPageAndFound() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("read"), new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.click("orders");
      browser.awaitText("1 to 50 of 11,000");
      browser.click("Next");
      browser.awaitText("51 to 100 of 11,000");
      browser.click("Last");
      browser.awaitText("10,951 to 11,000");
      browser.awaitText("19999");
      browser.click("First");
      browser.awaitText("1 to 50 of 11,000");
      browser.screenshot("entries");
      browser.value("document.querySelector('input').focus()");
      browser.type("12345");
      browser.key("Enter");
      browser.await("document.querySelectorAll('tbody tr').length === 1");
      assertThat(browser.text("tbody")).contains("12345", "3086.25");
      browser.click("From this key on");
      browser.awaitText("from that key on");
      assertThat(browser.text("tbody tr")).contains("12345");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void objectsAreFollowed() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("graph"), new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.click("people");
      String reference = "document.querySelector('tbody .link')";
      browser.await(reference);
      browser.value(reference + ".click()");
      browser.awaitText("Ada");
      browser.value(reference + ".click()");
      browser.awaitText("Bob");
      browser.screenshot("object");
      browser.value(reference + ".click()");
      browser.awaitText("Ada");
      browser.click("people");
      browser.awaitText("first");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void hostileTextsAreInert() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("hostile"), new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.click("hostile");
      browser.awaitText("<script>window.harmed=1</script>");
      browser.awaitText("U+0000U+001B[31mU+202E");
      browser.awaitText("<b>bold</b>");
      assertThat(browser.value("document.body.innerText.length").intValue()).isLessThan(5_000);
      browser.screenshot("hostile");
      browser.click("show all 262,000 characters");
      browser.await("document.querySelector('.whole').textContent.length === 262000");
      browser.click(
          "show all "
              + String.format(Locale.ROOT, "%,d", (1 << 20) + HOSTILE.length())
              + " characters");
      browser.await("document.querySelectorAll('.whole').length === 2");
      assertThat(
              browser.value("document.querySelectorAll('main img, main script').length").intValue())
          .isZero();
      assertThat(browser.value("typeof window.harmed").textValue()).isEqualTo("undefined");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void aMillionEntriesAreReadPageByPage() throws Exception {
    Path directory = temporary.resolve("million");
    try (Heap heap =
        Heap.builder(directory).durability(Durability.async(Duration.ofSeconds(1))).open()) {
      DurableMap<Long, Long> map = heap.map("numbers", Long.class, Long.class);
      for (int part = 0; part < 100; part++) {
        long first = part * 10_000L;
        heap.transact(
            () -> {
              for (long i = first; i < first + 10_000; i++) {
                map.put(i, -i);
              }
            });
      }
    }
    try (ConsoleServer server = ConsoleServer.start(directory, new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.click("numbers");
      browser.awaitText("1 to 50 of 1,000,000");
      browser.click("Next");
      browser.awaitText("51 to 100 of 1,000,000");
      browser.click("Last");
      browser.awaitText("999,951 to 1,000,000 of 1,000,000");
      assertThat(browser.value("document.querySelectorAll('tbody tr').length").intValue())
          .isEqualTo(50);
      browser.value("document.querySelector('input').focus()");
      browser.type("765432");
      browser.key("Enter");
      browser.awaitText("-765432");
      browser.screenshot("million");
      browser.click("Heap map");
      browser.awaitText("Chunk 0");
      browser.screenshot("heap-map-million");
      browser.click("Verify");
      browser.click("Verify now");
      browser.awaitText("OK: no damage found");
      browser.awaitText("1,000,000 entries");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void aHeapInUseShowsItsCounters() throws Exception {
    Path directory = temporary.resolve("busy");
    try (Heap heap = Heap.builder(directory).open();
        ConsoleServer server = ConsoleServer.start(directory, new KeyOptions(), 0)) {
      DurableMap<Long, Long> map = heap.map("map", Long.class, Long.class);
      browser.open(server.address());
      for (int samples = 1; samples <= 4; samples++) {
        for (long i = 0; i < 100L * samples; i++) {
          map.put(i, i);
        }
        browser.await(
            "Number(document.querySelector('[data-samples]').dataset.samples) >= " + samples);
      }
      assertThat(browser.text("main")).contains("has the heap open", "Transactions per second");
      browser.screenshot("live");
      browser.click("Overview");
      browser.awaitText("Another process has this heap open");
      browser.click("Entries");
      browser.awaitText("when the other process has closed the heap");
      browser.click("Heap map");
      browser.awaitText("another process has the heap open");
      browser.errors().removeIf(error -> error.contains("400 (Bad Request)"));
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void damageIsShownWithWhatToDo() throws Exception {
    Path directory = shop("damaged");
    Path home = directory.resolve("heap");
    byte[] bytes = Files.readAllBytes(home);
    int text = new String(bytes, ISO_8859_1).lastIndexOf("article 5");
    bytes[text] ^= 1;
    Files.write(home, bytes);
    try (ConsoleServer server = ConsoleServer.start(directory, new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.click("Verify");
      browser.click("Verify now");
      browser.awaitText("DAMAGED");
      assertThat(browser.text("main")).contains("orders", "everheap salvage DIR --to DIR2");
      browser.screenshot("damaged");
      assertThat(browser.errors()).isEmpty();
    }
    Files.write(home, Arrays.copyOf(bytes, bytes.length - 4096));
    try (ConsoleServer server = ConsoleServer.start(directory, new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.awaitText("This heap cannot be opened");
      assertThat(browser.text("main")).contains("(EH-", "everheap restore");
      browser.screenshot("unopenable");
      browser.value("[...document.querySelectorAll('main button')].at(-1).click()");
      browser.click("Verify now");
      browser.awaitText("home file");
      assertThat(browser.errors()).isEmpty();
    }
  }

  @Test
  void everyPageIsReachedByTheKeyboard() throws Exception {
    try (ConsoleServer server = ConsoleServer.start(shop("keys"), new KeyOptions(), 0)) {
      browser.open(server.address());
      browser.awaitText("Blocks by size");
      for (Map.Entry<String, String> page :
          List.of(
              Map.entry("browse", "Entries"),
              Map.entry("space", "Heap map"),
              Map.entry("live", "Live"))) {
        browser.value("document.activeElement.blur()");
        String focused = "document.activeElement.dataset.page === '" + page.getKey() + "'";
        for (int i = 0; i < 40 && !browser.value(focused).booleanValue(); i++) {
          browser.key("Tab");
        }
        assertThat(browser.value(focused).booleanValue()).isTrue();
        browser.key("Enter");
        browser.await("document.querySelector('h1').innerText === '" + page.getValue() + "'");
      }
      assertThat(browser.errors()).isEmpty();
    }
  }
}
