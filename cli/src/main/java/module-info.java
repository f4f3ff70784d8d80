/** The {@code everheap} command: inspect, verify and repair heaps. */
module io.everheap.cli {
  requires info.picocli;
  requires io.everheap;
  requires static org.jspecify;

  opens io.everheap.cli to
      info.picocli;
}
