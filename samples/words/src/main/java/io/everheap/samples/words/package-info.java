/** Word counts that go on where they stopped. */
@org.jspecify.annotations.NullMarked
package io.everheap.samples.words;
