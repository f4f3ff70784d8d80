package io.everheap.cli.demo;

import java.util.List;

/**
 * The findings of a check of the whole bank.
 *
 * @param transfers rows in the history
 * @param lost acknowledged transfers that are not in the history as they were acknowledged
 * @param unacknowledged rows of transfers whose acknowledgement the kill cut off
 * @param money what the accounts hold beyond the sum of the history; 0 in a sound bank
 * @param problems every deviation in words, at most {@link BankCheck#LISTED} of them
 */
record CheckResult(
    long transfers, long lost, long unacknowledged, long money, List<String> problems) {
  boolean passed() {
    return problems.isEmpty();
  }
}
