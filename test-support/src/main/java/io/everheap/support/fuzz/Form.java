package io.everheap.support.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/**
 * How inputs of a fuzzer are kept in files of its corpus.
 *
 * @param <I> the inputs
 */
public interface Form<I> {
  /** A message, or the contents of a file, as it is. */
  Form<byte[]> BYTES =
      new Form<>() {
        @Override
        public byte[] parse(byte[] kept) {
          return kept;
        }

        @Override
        public byte[] format(byte[] input) {
          return input;
        }
      };

  /** The files of a directory, by their names with slashes, in a zip file. */
  Form<SequencedMap<String, byte[]>> FILES =
      new Form<>() {
        @Override
        public SequencedMap<String, byte[]> parse(byte[] kept) throws IOException {
          var files = new TreeMap<String, byte[]>();
          try (var zip = new ZipInputStream(new ByteArrayInputStream(kept))) {
            for (ZipEntry file = zip.getNextEntry(); file != null; file = zip.getNextEntry()) {
              files.put(file.getName(), zip.readAllBytes());
            }
          }
          return files;
        }

        @Override
        public byte[] format(SequencedMap<String, byte[]> input) throws IOException {
          var bytes = new ByteArrayOutputStream();
          try (var zip = new ZipOutputStream(bytes)) {
            zip.setLevel(9);
            for (Map.Entry<String, byte[]> file : input.entrySet()) {
              var entry = new ZipEntry(file.getKey());
              entry.setTime(0); // the same bytes for the same input
              zip.putNextEntry(entry);
              zip.write(file.getValue());
            }
          }
          return bytes.toByteArray();
        }
      };

  /**
   * Reads an input from a file of the corpus.
   *
   * @param kept the contents of the file
   * @return the input
   * @throws IOException if the file cannot be read as an input
   */
  I parse(byte[] kept) throws IOException;

  /**
   * Makes the contents of a file of the corpus.
   *
   * @param input the input
   * @return the contents
   * @throws IOException never, in memory
   */
  byte[] format(I input) throws IOException;
}
