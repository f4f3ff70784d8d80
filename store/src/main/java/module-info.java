/** Maps in several heaps, so that writers run in parallel on several cores. */
module io.everheap.store {
  requires transitive io.everheap;
  requires static org.jspecify;

  exports io.everheap.store;
}
