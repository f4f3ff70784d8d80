package io.everheap.replication;

import io.everheap.support.fuzz.Form;
import io.everheap.support.fuzz.Mutation;
import io.everheap.support.fuzz.Mutator;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;

/**
 * All bytes that one end of a connection sends, and how: the input of the fuzzers of replication.
 * In a file the first byte has the flags, and the others are the messages as without a secret.
 */
final class WireInput {
  /** The checksums of all messages are made right. */
  static final int CHECKSUMS = 1;

  /** So are those of the parts of a log, and of the headers of segments, within messages. */
  static final int SEALS = 2;

  /** The other end has a secret, and this one has none. */
  static final int SECRET = 4;

  /** Both have the secret: greetings are real, and all further messages are sealed. */
  static final int KNOWN = 8;

  /** How inputs are kept in files. */
  static final Form<WireInput> FORM =
      new Form<>() {
        @Override
        public WireInput parse(byte[] kept) {
          return kept.length == 0
              ? new WireInput(0, kept)
              : new WireInput(kept[0], Arrays.copyOfRange(kept, 1, kept.length));
        }

        @Override
        public byte[] format(WireInput input) {
          return ByteBuffer.allocate(1 + input.bytes.length)
              .put((byte) input.flags)
              .put(input.bytes)
              .array();
        }
      };

  /** Changes messages, their bodies and their order, or the bytes without regard to these. */
  static final Mutation<WireInput> MUTATION = WireInput::mutate;

  private static final int HEAD = 5;
  private static final int TAIL = 4;
  private static final int MOST_MESSAGES = 40;

  private final int flags;
  private final byte[] bytes;

  /**
   * Makes an input.
   *
   * @param flags {@link #CHECKSUMS}, {@link #SECRET} and others
   * @param bytes messages, of which the last one may be incomplete
   */
  WireInput(int flags, byte[] bytes) {
    this.flags = flags;
    this.bytes = bytes;
  }

  /** A message; the type may be any. */
  static final class Frame {
    private final int type;
    private final byte[] body;

    Frame(int type, byte[] body) {
      this.type = type;
      this.body = body;
    }

    int type() {
      return type;
    }

    byte[] body() {
      return body;
    }
  }

  boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** The messages that are complete. */
  List<Frame> frames() {
    List<Frame> frames = new ArrayList<>();
    for (int at = 0; at < bytes.length; ) {
      int length = bytes.length - at < HEAD ? -1 : ByteBuffer.wrap(bytes).getInt(at);
      if (length < 0 || length > bytes.length - at - HEAD - TAIL) {
        break;
      }
      frames.add(
          new Frame(
              bytes[at + 4] & 0xFF, Arrays.copyOfRange(bytes, at + HEAD, at + HEAD + length)));
      at += HEAD + length + TAIL;
    }
    return frames;
  }

  /** The bytes after the last complete message. */
  private byte[] rest() {
    int end = 0;
    for (Frame frame : frames()) {
      end += HEAD + frame.body.length + TAIL;
    }
    return Arrays.copyOfRange(bytes, end, bytes.length);
  }

  /** The bytes that are sent, if nothing is sealed. */
  byte[] wire(List<Frame> frames) {
    return has(CHECKSUMS) ? bytes(frames, rest()) : bytes;
  }

  static byte[] bytes(List<Frame> frames, byte[] rest) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      for (Frame frame : frames) {
        CRC32C crc = new CRC32C();
        crc.update(frame.type);
        crc.update(frame.body);
        out.writeInt(frame.body.length);
        out.writeByte(frame.type);
        out.write(frame.body);
        out.writeInt((int) crc.getValue());
      }
      out.write(rest);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static WireInput mutate(WireInput input, WireInput other, Mutator mutator) {
    Random random = mutator.random();
    int flags = input.flags;
    if (random.nextInt(4) == 0) {
      flags ^= 1 << random.nextInt(4);
    }
    if (random.nextInt(6) == 0) {
      return new WireInput(flags, mutator.mutate(input.bytes, other.bytes));
    }
    List<Frame> frames = new ArrayList<>(input.frames());
    List<Frame> others = other.frames();
    int steps = 1 + random.nextInt(3);
    for (int i = 0; i < steps && !frames.isEmpty(); i++) {
      int at = random.nextInt(frames.size());
      Frame frame = frames.get(at);
      Frame from = others.isEmpty() ? frame : others.get(random.nextInt(others.size()));
      switch (random.nextInt(12)) {
        case 0 -> frames.remove(at);
        case 1 -> frames.add(at, frame);
        case 2 -> frames.add(at, from);
        case 3 -> frames.set(at, frames.set(random.nextInt(frames.size()), frame));
        case 4 -> frames.set(at, new Frame(random.nextInt(14), frame.body));
        case 5, 6 -> frames.set(at, new Frame(frame.type, ForgedParts.mutate(frame.body, random)));
        case 7 -> frames.set(at, new Frame(frame.type, mutator.mutate(frame.body, from.body)));
        default ->
            frames.set(
                at, new Frame(frame.type, mutator.mutateRange(frame.body, 0, frame.body.length)));
      }
    }
    int most = Math.min(frames.size(), MOST_MESSAGES);
    return new WireInput(flags, bytes(frames.subList(0, most), input.rest()));
  }
}
