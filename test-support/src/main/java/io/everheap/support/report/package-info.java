/** Programs that read Surefire's reports after a run. They need nothing but the JDK. */
@NullMarked
package io.everheap.support.report;

import org.jspecify.annotations.NullMarked;
