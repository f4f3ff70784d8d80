package io.everheap.benchmarks.bank;

/**
 * What a {@link BankPart} runs.
 *
 * @param prefix of the names of its cases
 * @param accounts how many the bank has
 * @param threads that make transfers
 * @param millis how long they do, before the kill and after it
 * @param heap the Java heap of a measured process
 */
public record BankPlan(String prefix, long accounts, int threads, long millis, String heap) {}
