package io.everheap.mutation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScopeTest {
  @Test
  void aLineHasSixColumns() {
    Scope scope =
        Scope.parse("tx    | core | io.a.*, io.B | 10 | core,testkit | io.a.*, io.*Test  ");
    assertThat(scope)
        .isEqualTo(
            new Scope(
                "tx",
                "core",
                List.of("io.a.*", "io.B"),
                10,
                List.of("core", "testkit"),
                List.of("io.a.*", "io.*Test")));
    assertThatThrownBy(() -> Scope.parse("tx | core | io.a.* | 1 | core"))
        .hasMessageContaining("six columns");
  }

  @Test
  void aClassIsIncludedByItsNameOrItsPackage() {
    List<String> globs = List.of("io.a.*", "io.Backup*", "io.One");
    assertThat(List.of("io.a.X", "io.a.b.X", "io.a.X$Y", "io.Backups", "io.One", "io.One$Two"))
        .allMatch(name -> Scope.includes(globs, name));
    assertThat(List.of("io.b.X", "io.ab.X", "io.OneTwo", "io.Back", "aio.One"))
        .noneMatch(name -> Scope.includes(globs, name));
  }
}
