/** A cache of blocks and objects, larger than memory is cheap, that is warm after a kill. */
module io.everheap.cache {
  requires transitive io.everheap;
  requires jdk.jfr;
  requires static org.jspecify;

  exports io.everheap.cache;
  exports io.everheap.cache.codec;
}
