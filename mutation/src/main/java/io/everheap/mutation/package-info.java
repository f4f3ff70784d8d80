/**
 * Runs PIT over the protocol classes of all modules: which classes and tests ({@link
 * io.everheap.mutation.Scope}), which of their mutants ({@link io.everheap.mutation.Sampling}), in
 * which order tests run ({@link io.everheap.mutation.TestOrder}), and what survived ({@link
 * io.everheap.mutation.Report}).
 */
package io.everheap.mutation;
