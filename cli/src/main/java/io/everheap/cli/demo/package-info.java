/**
 * The demonstration: a bank whose process is killed again and again, and which never loses a
 * transfer.
 */
@NullMarked
package io.everheap.cli.demo;

import org.jspecify.annotations.NullMarked;
