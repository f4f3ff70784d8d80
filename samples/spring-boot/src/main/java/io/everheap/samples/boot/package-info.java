/** A guest book: Spring Boot on a heap. */
@org.jspecify.annotations.NullMarked
package io.everheap.samples.boot;
