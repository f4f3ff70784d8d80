/** A page of results that needs nothing else: tables and pictures in one HTML file. */
@NullMarked
package io.everheap.benchmarks.report;

import org.jspecify.annotations.NullMarked;
