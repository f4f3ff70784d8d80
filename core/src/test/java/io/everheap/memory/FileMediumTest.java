package io.everheap.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.everheap.error.EverheapException;
import io.everheap.error.MediumException;
import io.everheap.error.MissingException;
import io.everheap.error.ReadOnlyException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileMediumTest {
  private static final int EXTENT = 64 << 10;

  @TempDir Path temp;

  @Nested
  class Contract extends MediumContract {
    @Override
    Medium open() {
      return FileMedium.open(temp.resolve("contract"), false, true);
    }
  }

  @Test
  void itSaysWhatItIs() throws Exception {
    try (var medium = FileMedium.open(temp, false, false)) {
      assertThat(medium.name()).isEqualTo("file");
      assertThat(medium.location()).isEqualTo(temp.toRealPath().toString());
      assertThat(medium.byteAddressable()).isFalse();
      assertThat(medium.readOnly()).isFalse();
      assertThat(medium).hasToString("file:" + temp.toRealPath());
    }
  }

  @Test
  void itsIncarnationIsTheBootOfTheKernel() throws Exception {
    Path bootId = Path.of("/proc/sys/kernel/random/boot_id");
    try (var medium = FileMedium.open(temp, false, false)) {
      assertThat(medium.incarnation())
          .isEqualTo(
              Files.exists(bootId) ? Files.readString(bootId).strip() : medium.incarnation());
    }
  }

  /** What makes files in the background meets the move at any of its steps. */
  @Test
  void eachOperationNamesTheDirectoryThatWasMoved() throws Exception {
    Path heap = Files.createDirectory(temp.resolve("heap"));
    try (var medium = FileMedium.open(heap, false, false)) {
      medium.create("there").close();
      Files.move(heap, temp.resolve("elsewhere"));
      for (Runnable operation :
          List.<Runnable>of(
              () -> medium.create("new").close(),
              () -> medium.open("there").close(),
              () -> medium.rename("there", "renamed"),
              () -> medium.syncDirectory(""))) {
        assertThatExceptionOfType(MediumException.class)
            .isThrownBy(operation::run)
            .withMessageContaining(heap.getFileName() + " was moved, deleted, replaced");
      }
      Files.move(temp.resolve("elsewhere"), heap);
    }
  }

  /** It would become long again, with a hole that nobody notices. */
  @Test
  void aFileThatWasCutIsNotWrittenTo() throws Exception {
    int size = 2 * MediumFile.BLOCK;
    ByteBuffer block =
        ByteBuffer.allocateDirect(2 * MediumFile.BLOCK)
            .alignedSlice(MediumFile.BLOCK)
            .slice(0, MediumFile.BLOCK);
    try (var medium = FileMedium.open(temp, false, false);
        MediumFile file = medium.create("file")) {
      file.truncate(size);
      file.write(block.duplicate(), size); // longer on purpose
      file.truncate(size);
      Path path = temp.resolve("file");
      try (var channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(100);
      }
      for (Runnable write :
          List.<Runnable>of(
              () -> file.write(block.duplicate(), MediumFile.BLOCK),
              () -> file.writeDurably(block.duplicate(), MediumFile.BLOCK))) {
        assertThatExceptionOfType(MediumException.class)
            .isThrownBy(write::run)
            .withMessageContaining(path.toRealPath() + " was cut to 100 bytes");
      }
      assertThat(path).hasSize(100);
    }
  }

  @Test
  void aMissingDirectoryIsRefusedUnlessItMayBeCreated() {
    Path missing = temp.resolve("a").resolve("b");

    for (boolean readOnly : new boolean[] {false, true}) {
      assertThatExceptionOfType(MissingException.class)
          .isThrownBy(() -> FileMedium.open(missing, readOnly, readOnly))
          .withMessageContaining(missing.toString())
          .returns("EH-MISSING", MissingException::code);
    }
    assertThat(temp).isEmptyDirectory();

    FileMedium.open(missing, false, true).close();
    FileMedium.open(missing, false, true).close();
    assertThat(missing).isDirectory();
  }

  @Test
  void aFileIsNoHeap() throws Exception {
    Path file = Files.writeString(temp.resolve("file"), "precious");

    for (Path path : List.of(file, file.resolve("below"))) {
      for (boolean create : new boolean[] {false, true}) {
        assertThatExceptionOfType(EverheapException.class)
            .isThrownBy(() -> FileMedium.open(path, false, create))
            .withMessageContaining(path.toString());
      }
    }
    assertThatExceptionOfType(MissingException.class)
        .isThrownBy(() -> FileMedium.open(file, false, true))
        .withMessageContaining("is not a directory");
    assertThat(file).hasContent("precious");
  }

  @Test
  void everythingItMakesIsForTheNewFiles() throws Exception {
    Path heap = temp.resolve("above").resolve("heap");
    try (var medium = FileMedium.open(heap, false, true);
        MediumFile log = medium.create("log/1")) {
      assertThat(log.size()).isZero();
      for (Path directory : List.of(heap.getParent(), heap, heap.resolve("log"))) {
        assertThat(permissions(directory)).isEqualTo("rwx------");
      }
      for (String file : List.of("lock", "owner", "log/1")) {
        assertThat(permissions(heap.resolve(file))).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void aForbiddenDirectoryIsAClearRefusal() throws Exception {
    // Nothing is forbidden to root, for whom the message alone is looked at.
    var denied = new AccessDeniedException("/heap");
    assertThat(Failures.of("open", Path.of("/heap"), denied))
        .isInstanceOf(MediumException.class)
        .hasMessageStartingWith("cannot open /heap: permission denied");

    if (!"root".equals(System.getProperty("user.name"))) {
      Path heap =
          Files.createDirectory(
              temp.resolve("heap"),
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("r-x------")));
      assertThatExceptionOfType(MediumException.class)
          .isThrownBy(() -> FileMedium.open(heap, false, false))
          .withMessageContaining(heap.toString())
          .withMessageContaining("permission denied");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../heap", "/etc/passwd", "log/../../x", "."})
  void namesStayWithinTheDirectory(String name) {
    try (var medium = FileMedium.open(temp, false, false)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> medium.create(name))
          .withMessageContaining(name);
    }
  }

  @Test
  void growingAndMappingTakeNoSpaceOfTheirOwn() throws Exception {
    try (var medium = FileMedium.open(temp, false, false);
        MediumFile file = medium.create("heap")) {
      file.truncate(1L << 36);
      assertThat(file.size()).isEqualTo(1L << 36);
      try (Region region = file.map(Mapping.SHARED, 1L << 36, 1 << 20)) {
        assertThat(region.getByte(0)).isZero();
      }
      assertThat(file.size()).isEqualTo((1L << 36) + (1 << 20));
    }
  }

  @Test
  void aSharedMappingIsTheFile() throws Exception {
    try (var medium = FileMedium.open(temp, false, false);
        MediumFile file = medium.create("heap");
        Region region = file.map(Mapping.SHARED, 0, 4096)) {
      region.putLong(0, 0x0807060504030201L);
      region.force(0, 8);

      assertThat(Files.readAllBytes(temp.resolve("heap"))).startsWith(1, 2, 3, 4, 5, 6, 7, 8);
    }
  }

  @Test
  void whatAProbeOfAKilledProcessLeftIsDeleted() throws Exception {
    Path left = Files.createFile(temp.resolve("probe-123.tmp"));
    Files.createFile(temp.resolve("heap"));

    FileMedium.open(temp, true, false).close();
    assertThat(left).exists();

    FileMedium.open(temp, false, false).close();
    assertThat(left).doesNotExist();
    assertThat(temp.resolve("heap")).exists();
  }

  @Test
  void aReadOnlyMediumChangesNothing() throws Exception {
    Files.writeString(temp.resolve("heap"), "precious");
    try (var medium = FileMedium.open(temp, true, false);
        MediumFile file = medium.open("heap");
        MediumFile log = medium.openLog("heap", DurableWrite.DIRECT_DSYNC)) {
      ByteBuffer block = ByteBuffer.allocateDirect(8192).alignedSlice(4096).limit(4096);
      List<Runnable> changes =
          List.of(
              () -> medium.create("new"),
              () -> medium.rename("heap", "new"),
              () -> medium.delete("heap"),
              () -> medium.syncDirectory(""),
              medium::probeDurableWrite,
              () -> file.truncate(3),
              () -> file.write(ByteBuffer.allocate(1), 0),
              () -> log.writeDurably(block, 0),
              file::sync,
              () -> file.map(Mapping.SHARED, 0, 8));

      assertThat(changes)
          .allSatisfy(
              change ->
                  assertThatExceptionOfType(ReadOnlyException.class)
                      .isThrownBy(change::run)
                      .withMessageContaining(temp.toRealPath().toString())
                      .withMessageContaining("reading only")
                      .returns("EH-READ-ONLY", ReadOnlyException::code));
      ByteBuffer read = ByteBuffer.allocate(100);
      assertThat(file.read(read, 0)).isEqualTo(8);
    }
    assertThat(temp.toFile().list()).containsExactly("heap");
    assertThat(temp.resolve("heap")).hasContent("precious");
  }

  @Test
  void aReadOnlyMappingIsPrivateAndEndsWithTheFile() throws Exception {
    Files.write(temp.resolve("heap"), new byte[EXTENT]);
    try (var medium = FileMedium.open(temp, true, false);
        MediumFile file = medium.open("heap");
        Region region = file.map(Mapping.PRIVATE, 4096, EXTENT - 4096)) {
      region.putLong(0, 42);
      assertThat(region.getLong(0)).isEqualTo(42);

      assertThatExceptionOfType(MediumException.class)
          .isThrownBy(() -> file.map(Mapping.PRIVATE, 4096, EXTENT))
          .withMessageContaining("at offset 4096")
          .withMessageContaining("the file has " + EXTENT + " bytes");
    }
    assertThat(Files.readAllBytes(temp.resolve("heap"))).hasSize(EXTENT).containsOnly(0);
  }

  @Test
  void anExistingFileKeepsItsContentWhenItIsOpened() throws Exception {
    Files.writeString(temp.resolve("heap"), "precious");
    try (var medium = FileMedium.open(temp, false, false);
        MediumFile file = medium.open("heap")) {
      file.truncate(8);
      file.sync();
    }
    assertThat(temp.resolve("heap")).hasContent("precious");
  }

  private static String permissions(Path path) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
