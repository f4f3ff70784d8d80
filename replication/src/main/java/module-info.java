/** Replicas of heaps and journals on other machines. */
module io.everheap.replication {
  requires transitive io.everheap;
  requires static org.jspecify;

  exports io.everheap.replication;
}
