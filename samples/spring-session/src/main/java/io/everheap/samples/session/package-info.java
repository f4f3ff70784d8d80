/** A web application whose HTTP sessions survive {@code kill -9}. */
@org.jspecify.annotations.NullMarked
package io.everheap.samples.session;
