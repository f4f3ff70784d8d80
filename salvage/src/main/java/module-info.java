/** Saves what is readable of a damaged heap into a new one. */
module io.everheap.salvage {
  requires transitive io.everheap;
  requires static org.jspecify;

  exports io.everheap.salvage;
}
