/** The simulated medium: tries the crash states of code that is built on Everheap. */
module io.everheap.testkit {
  requires transitive io.everheap;
  requires static org.jspecify;

  exports io.everheap.testkit;
}
