/**
 * Spring's caches on durable ones: what {@code @Cacheable} methods returned is still there after a
 * {@code kill -9}.
 *
 * <pre>{@code
 * @Bean
 * EverheapCacheManager cacheManager() {
 *   return EverheapCacheManager.builder(Path.of("caches"))
 *       .cache("people", options -> options.setTimeToLive(Duration.ofHours(1)))
 *       .build();
 * }
 * }</pre>
 */
@NullMarked
package io.everheap.spring;

import org.jspecify.annotations.NullMarked;
