/**
 * A heap for programs of Spring Boot: {@code everheap.heap.directory} names its directory, and
 * {@code @Transactional} methods are its transactions.
 */
@NullMarked
package io.everheap.spring.boot;

import org.jspecify.annotations.NullMarked;
