/** What the replication of journals sees of them: for the modules of this project. */
@NullMarked
package io.everheap.journal.replica;

import org.jspecify.annotations.NullMarked;
