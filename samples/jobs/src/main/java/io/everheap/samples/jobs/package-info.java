/** Workers that lose no job and do none twice. */
@org.jspecify.annotations.NullMarked
package io.everheap.samples.jobs;
