/** The configuration of the store: in the program, and in XML, JSON and YAML files. */
@NullMarked
package io.everheap.infinispan.configuration;

import org.jspecify.annotations.NullMarked;
