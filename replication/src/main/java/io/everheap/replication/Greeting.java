package io.everheap.replication;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.KDF;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;
import org.jspecify.annotations.Nullable;

/**
 * The first message of each end, the replica's first. It says the version, which is the same on
 * both ends or refused, and has a random number. Only it, and a refusal in answer to it, is in
 * plaintext; both stay readable for all versions.
 *
 * <pre>
 *   0       8         10     11      32       64      96
 *   +-------+---------+------+-------+--------+-------+
 *   | magic | version | seal | zeros | random | proof |
 *   +-------+---------+------+-------+--------+-------+
 * </pre>
 *
 * <p>With a secret, HKDF of the secret and of both greetings gives a key for each direction and the
 * proof, which only the primary sends: the replica shows that it knows the secret by its next
 * message, which is sealed like all that follow. Since both random numbers are new for each
 * connection, messages of an earlier connection mean nothing in a later one.
 */
final class Greeting {
  /** The longest first message. */
  static final int MAX_BYTES = 1024;

  /** "EVERREPL". */
  static final long MAGIC = 0x4556_4552_5245_504CL;

  /** Version of the protocol. */
  static final int VERSION = 3;

  /** Bytes without the proof: version 2 names the other version only if there are as many. */
  static final int LENGTH = 64;

  private static final int SEAL = 10;
  private static final int RANDOM = 32;
  private static final int PROOF = 32;
  private static final SecureRandom RANDOM_SOURCE = new SecureRandom();

  private Greeting() {}

  /** The keys and the proof of one connection. */
  private record Keys(SecretKey toPrimary, SecretKey toReplica, SecretKey proof) {}

  private static byte[] make(boolean sealed) {
    byte[] random = new byte[LENGTH - RANDOM];
    RANDOM_SOURCE.nextBytes(random);
    return ByteBuffer.allocate(LENGTH)
        .putLong(MAGIC)
        .putShort((short) VERSION)
        .put((byte) (sealed ? 1 : 0))
        .put(RANDOM, random)
        .array();
  }

  private static Keys keys(Secret secret, byte[] replica, byte[] primary) {
    byte[] both = ByteBuffer.allocate(2 * LENGTH).put(replica).put(primary).array();
    try {
      KDF kdf = KDF.getInstance("HKDF-SHA256");
      return new Keys(
          kdf.deriveKey("AES", parameters(secret, both, "everheap to primary")),
          kdf.deriveKey("AES", parameters(secret, both, "everheap to replica")),
          kdf.deriveKey("Generic", parameters(secret, both, "everheap proof of primary")));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no HKDF-SHA256", e);
    }
  }

  private static HKDFParameterSpec parameters(Secret secret, byte[] salt, String purpose) {
    return HKDFParameterSpec.ofExtract()
        .addIKM(secret.bytes())
        .addSalt(salt)
        .thenExpand(purpose.getBytes(US_ASCII), PROOF);
  }

  private static Seal seal(SecretKey send, SecretKey receive) {
    try {
      return new Seal(send, receive);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JDK has no AES/GCM/NoPadding", e);
    }
  }

  /** Greets as a replica, or as another client of a primary. */
  static void call(Connection to, @Nullable Secret secret) throws IOException {
    byte[] mine = make(secret != null);
    to.send(Message.GREETING, mine);
    Connection.Received answer = to.receive();
    if (answer.type() == Message.REFUSED) {
      throw Refusal.decode(answer.buffer()).unproven(to.peer());
    }
    byte[] theirs = answer.body();
    requireMagic(answer, to.peer());
    requireVersion(version(theirs), to.peer());
    if ((theirs[SEAL] != 0) != (secret != null)) {
      throw new ProtocolException(to.peer() + secretMissing(secret == null));
    }
    if (secret != null) {
      Keys keys = keys(secret, mine, Arrays.copyOf(theirs, LENGTH));
      if (!MessageDigest.isEqual(
          keys.proof.getEncoded(), Arrays.copyOfRange(theirs, LENGTH, theirs.length))) {
        throw new ProtocolException(to.peer() + " has another secret.");
      }
      to.seal(seal(keys.toPrimary, keys.toReplica));
    }
  }

  /** Greets as a primary. */
  static void answer(Connection from, @Nullable Secret secret) throws IOException {
    Connection.Received first = from.receive();
    requireMagic(first, from.peer());
    byte[] theirs = first.body();
    try {
      requireVersion(version(theirs), from.peer());
      if ((theirs[SEAL] != 0) != (secret != null)) {
        throw new ProtocolException(from.peer() + secretMissing(secret == null));
      }
    } catch (ProtocolException e) {
      from.send(
          Message.REFUSED,
          new Refusal(Refusal.Reason.LATER, String.valueOf(e.getMessage())).encode());
      throw e;
    }
    byte[] mine = make(secret != null);
    if (secret == null) {
      from.send(Message.GREETING, mine);
    } else {
      Keys keys = keys(secret, Arrays.copyOf(theirs, LENGTH), mine);
      byte[] proven = Arrays.copyOf(mine, LENGTH + PROOF);
      System.arraycopy(keys.proof.getEncoded(), 0, proven, LENGTH, PROOF);
      from.send(Message.GREETING, proven);
      from.seal(seal(keys.toReplica, keys.toPrimary));
    }
  }

  private static void requireMagic(Connection.Received received, String peer)
      throws ProtocolException {
    if (received.type() != Message.GREETING
        || received.body().length < LENGTH
        || received.buffer().getLong() != MAGIC) {
      throw new ProtocolException(peer + " does not speak this protocol.");
    }
  }

  private static int version(byte[] greeting) {
    return ByteBuffer.wrap(greeting).getShort(8);
  }

  private static void requireVersion(int version, String peer) throws ProtocolException {
    if (version != VERSION) {
      throw new ProtocolException(
          peer
              + " speaks version "
              + version
              + " of the protocol, and this library version "
              + VERSION
              + ": use the same version of the library on both sides.");
    }
  }

  private static String secretMissing(boolean here) {
    return here
        ? " wants a secret, which is missing here: call secret(file), or --secret FILE."
        : " has no secret, and one is wanted here: call secret(file) on both sides.";
  }
}
