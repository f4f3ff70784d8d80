/** Infinispan's own tests of stores. */
package io.everheap.infinispan.conformance;
