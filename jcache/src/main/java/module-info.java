/** A provider of JCache (JSR-107) whose caches are warm after a kill. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // JCache is no module
module io.everheap.jcache {
  requires transitive cache.api;
  requires transitive io.everheap.cache;
  requires java.management;
  requires static org.jspecify;

  exports io.everheap.jcache;

  provides javax.cache.spi.CachingProvider with
      io.everheap.jcache.EverheapCachingProvider;
}
