/**
 * Weaves plain classes whose objects live in heaps, at build time or, as a Java agent, at load
 * time.
 */
module io.everheap.weaver {
  requires java.instrument;
  requires static org.jspecify;

  exports io.everheap.weaver;
}
