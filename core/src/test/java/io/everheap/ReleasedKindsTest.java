package io.everheap;

import static org.assertj.core.api.Assertions.assertThat;

import io.everheap.support.release.Release;
import io.everheap.support.tier.Campaign;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Keys of every type, and every kind of structure, in heaps that a release closed or that were
 * killed: they are found, replaced and removed by equal keys of other classes.
 */
@Campaign
class ReleasedKindsTest {
  @TempDir Path dir;

  private static List<Arguments> heaps() {
    List<Arguments> heaps = new ArrayList<>();
    for (Release release : Release.all()) {
      heaps.add(Arguments.of(release, ReleasedFiles.CLOSED));
      heaps.add(Arguments.of(release, ReleasedFiles.KILLED));
    }
    return heaps;
  }

  private void unzip(Release release, String state) throws Exception {
    release.unzip(ReleasedFiles.KINDS + "-" + state, dir);
  }

  @ParameterizedTest
  @MethodSource("heaps")
  void everythingIsThereForAReader(Release release, String state) throws Exception {
    unzip(release, state);
    try (Heap heap = Heap.builder(dir).readOnly().open()) {
      assertThat(ReleasedKinds.contents(heap)).isEqualTo(release.contents(ReleasedFiles.KINDS));
    }
    assertThat(HeapCheck.verify(dir).problems()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("heaps")
  void everythingIsReplacedAndRemoved(Release release, String state) throws Exception {
    unzip(release, state);
    try (Heap heap = Heap.open(dir)) {
      assertThat(heap.stats().recovery().clean()).isEqualTo(state.equals(ReleasedFiles.CLOSED));
      ReleasedKinds kinds = new ReleasedKinds(heap);
      kinds.requireAll();
      kinds.change();
      heap.collect();
    }
    try (Heap heap = Heap.open(dir)) {
      new ReleasedKinds(heap).requireChanged();
      assertThat(heap.verify().problems()).isEmpty();
    }
  }
}
