/**
 * JCache (JSR-107) on durable caches: caches that are warm after a {@code kill -9}, behind the
 * interfaces of {@code javax.cache}.
 *
 * <pre>{@code
 * Properties properties = new Properties();
 * properties.setProperty("everheap.directory", "caches");
 * CachingProvider provider = Caching.getCachingProvider();
 * CacheManager manager = provider.getCacheManager(null, null, properties);
 * Cache<String, Person> people =
 *     manager.createCache(
 *         "people",
 *         new MutableConfiguration<String, Person>().setTypes(String.class, Person.class));
 * people.put("ann", ann);            // still there after a kill
 * }</pre>
 */
@NullMarked
package io.everheap.jcache;

import org.jspecify.annotations.NullMarked;
