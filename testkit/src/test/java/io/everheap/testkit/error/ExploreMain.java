package io.everheap.testkit.error;
import java.util.*;
public final class ExploreMain {
  public static void main(String[] a) throws Exception {
    var loader = new InstrumentingLoader();
    var m = loader.loadClass("io.everheap.testkit.error.Exploration").getMethod("explore", String.class, String.class, int.class, long.class);
    for (String name : a[1].split(",")) {
      long t = System.nanoTime();
      @SuppressWarnings("unchecked") List<String> r = (List<String>) m.invoke(null, a[0], name, Integer.parseInt(a[2]), Long.parseLong(a[3]));
      System.out.printf("=== %s %s: places %s, runs %s, struck %s, poisoned %s, FAILED %d, %.1f s%n", a[0], name, r.get(0), r.get(1), r.get(2), r.get(3), r.size() - 4, (System.nanoTime() - t) / 1e9);
      for (String f : r.subList(4, r.size())) System.out.println("--- " + f);
    }
    System.exit(0);
  }
}
