/**
 * Metadata inside of the packets and the headers of codecs, which a new
 * container does not remove.
 */

const SEI = 6;
const USER_DATA_UNREGISTERED = 5;

/**
 * Removes free user data from a packet of H.264: encoders write their settings
 * there, drones their position. Captions and timing remain.
 * @param lengthBytes of the length before each NAL unit (ISO/IEC 14496-15, section 5.3)
 * @throws {RangeError} if a unit ends behind the packet
 */
export function stripUserData(
  packet: Uint8Array,
  lengthBytes: number,
): Uint8Array {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.length);
  const kept: Buffer[] = [];
  let isWhole = true;
  for (let at = 0; at < bytes.length;) {
    const start = at + lengthBytes;
    const end = start + bytes.readUIntBE(at, lengthBytes);
    if (end > bytes.length) throw new RangeError("A unit of video is cut off");
    const unit = bytes.subarray(start, end);
    if (hasUserData(unit)) isWhole = false;
    else kept.push(bytes.subarray(at, end));
    at = end;
  }
  return isWhole ? packet : Buffer.concat(kept);
}

/** Does a NAL unit have such a message (ITU-T H.264, section 7.3.2.3)? */
function hasUserData(unit: Uint8Array): boolean {
  if (((unit[0] ?? 0) & 0x1f) !== SEI) return false;
  // The last byte has the stop bit alone.
  for (let at = 1; at < unit.length - 1;) {
    const type = readNumber(unit, at);
    const size = readNumber(unit, type.next);
    if (type.value === USER_DATA_UNREGISTERED) return true;
    at = size.next + size.value;
  }
  return false;
}

/** Each byte of 255 is continued by the next one. */
function readNumber(unit: Uint8Array, from: number) {
  let at = from;
  let value = 0;
  while (unit[at] === 0xff) {
    value += 0xff;
    at += 1;
  }
  return { value: value + (unit[at] ?? 0), next: at + 1 };
}

/** A comment header without vendor or comments, and with the framing bit. */
const NO_COMMENTS = Buffer.concat([
  Buffer.from("\x03vorbis", "latin1"),
  Buffer.alloc(8),
  Buffer.from([1]),
]);

/**
 * Empties the comments in the three headers of Vorbis as Matroska joins them
 * (Xiph lacing).
 * @throws {RangeError} if they are malformed
 */
export function stripVorbisComments(headers: Uint8Array): Buffer {
  const bytes = Buffer.from(headers);
  if (bytes[0] !== 2) throw new RangeError("The headers of a sound are broken");
  const first = readNumber(bytes, 1);
  const comments = readNumber(bytes, first.next);
  const start = comments.next + first.value;
  const setup = start + comments.value;
  if (setup >= bytes.length)
    throw new RangeError("The headers of a sound are cut off");
  return Buffer.concat([
    Buffer.from([2, ...lacingOf(first.value), NO_COMMENTS.length]),
    bytes.subarray(comments.next, start),
    NO_COMMENTS,
    bytes.subarray(setup),
  ]);
}

function lacingOf(size: number): number[] {
  const whole = Math.floor(size / 0xff);
  return [...Array<number>(whole).fill(0xff), size % 0xff];
}
