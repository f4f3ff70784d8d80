package io.everheap.cache.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The cheapest entries of a segment whose eviction leaves room, compared with all choices. */
class WindowTest {
  private static Window.Item item(int slot, int start, int length, boolean fixed, int frequency) {
    return new Window.Item(slot, start, length, fixed, frequency);
  }

  @Test
  void roomThatIsThereCostsNothing() {
    List<Window.Item> items = items(item(1, 10, 5, false, 0), item(2, 20, 5, false, 0));
    assertThat(Window.cheapest(items, 10, 30, 5)).isEqualTo(new Window(List.of(), 0));
    assertThat(Window.cheapest(items, 10, 30, 6).slots()).hasSize(1);
  }

  @Test
  void entriesThatWereHitCostMore() {
    List<Window.Item> items = items(item(1, 10, 5, false, 1), item(2, 15, 5, false, 0));
    assertThat(Window.cheapest(items, 10, 20, 5)).isEqualTo(new Window(List.of(2), 5));
    items = items(item(1, 10, 5, false, 0), item(2, 15, 5, false, 0));
    assertThat(Window.cheapest(items, 10, 20, 5))
        .as("the first of two")
        .isEqualTo(new Window(List.of(1), 5));
    assertThat(Window.cheapest(items, 10, 20, 10)).isEqualTo(new Window(List.of(1, 2), 10));
    assertThat(Window.cheapest(items, 10, 20, 11)).isNull();
  }

  @Test
  void pinnedEntriesStay() {
    List<Window.Item> items =
        items(item(1, 10, 5, false, 3), item(2, 15, 5, true, 0), item(3, 20, 5, false, 3));
    assertThat(Window.cheapest(items, 10, 25, 5)).isEqualTo(new Window(List.of(1), 20));
    assertThat(Window.cheapest(items, 10, 25, 6)).isNull();
    assertThat(Window.cheapest(items, 10, 26, 6)).isEqualTo(new Window(List.of(3), 20));
    assertThat(Window.cheapest(items, 9, 25, 6)).isEqualTo(new Window(List.of(1), 20));
  }

  @Test
  void anEmptySegmentIsItsWholeRoom() {
    assertThat(Window.cheapest(items(), 3, 10, 7)).isEqualTo(new Window(List.of(), 0));
    assertThat(Window.cheapest(items(), 3, 10, 8)).isNull();
  }

  private static List<Window.Item> items(Window.Item... items) {
    return new ArrayList<>(List.of(items));
  }

  @Test
  void noOtherChoiceIsCheaper() {
    Random random = new Random(Seeds.seed());
    for (int round = 0; round < 4000; round++) {
      int from = random.nextInt(3);
      List<Window.Item> items = new ArrayList<>();
      int at = from;
      int count = random.nextInt(7);
      for (int slot = 0; slot < count; slot++) {
        at += random.nextInt(3) == 0 ? random.nextInt(4) : 0;
        int length = 1 + random.nextInt(4);
        items.add(item(slot, at, length, random.nextInt(4) == 0, random.nextInt(4)));
        at += length;
      }
      int to = at + random.nextInt(3);
      List<Window.Item> shuffled = new ArrayList<>(items);
      java.util.Collections.shuffle(shuffled, random);
      int granules = 1 + random.nextInt(10);
      Window found = Window.cheapest(shuffled, from, to, granules);
      long cheapest = cheapest(items, from, to, granules);
      if (found == null) {
        assertThat(cheapest).as("%s for %s", items, granules).isEqualTo(Long.MAX_VALUE);
      } else {
        requireFits(found, items, from, to, granules);
        assertThat(found.cost()).as("%s for %s", items, granules).isEqualTo(cheapest);
      }
    }
  }

  /** The cost of the cheapest items, one beside the other, that leave room. */
  private static long cheapest(List<Window.Item> items, int from, int to, int granules) {
    long best = Long.MAX_VALUE;
    for (int first = 0; first <= items.size(); first++) {
      for (int end = first; end <= items.size(); end++) {
        int start = first == 0 ? from : items.get(first - 1).end();
        int limit = end == items.size() ? to : items.get(end).start();
        List<Window.Item> evicted = items.subList(first, end);
        if (limit - start >= granules && evicted.stream().noneMatch(Window.Item::fixed)) {
          best = Math.min(best, evicted.stream().mapToLong(Window.Item::cost).sum());
        }
      }
    }
    return best;
  }

  private static void requireFits(
      Window found, List<Window.Item> items, int from, int to, int granules) {
    List<Window.Item> evicted = found.slots().stream().map(items::get).toList();
    assertThat(evicted).noneMatch(Window.Item::fixed);
    assertThat(found.cost()).isEqualTo(evicted.stream().mapToLong(Window.Item::cost).sum());
    List<Window.Item> rest = new ArrayList<>(items);
    rest.removeAll(evicted);
    int at = from;
    int room = 0;
    for (Window.Item item : rest) {
      room = Math.max(room, item.start() - at);
      at = item.end();
    }
    assertThat(Math.max(room, to - at)).isGreaterThanOrEqualTo(granules);
  }
}
