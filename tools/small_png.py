"""Rewrites a PNG of a few colours with a palette of sixteen: a fifth of the bytes, for pictures that live in the repository."""
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data):
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    return a if pa <= pb and pa <= pc else b if pb <= pc else c


def unfiltered(data, width, height):
    """Rows of 3-byte pixels."""
    stride, rows, above = 3 * width, [], bytearray(3 * width)
    for y in range(height):
        start = y * (stride + 1)
        way, row = data[start], bytearray(data[start + 1:start + 1 + stride])
        for i in range(stride) if way else ():
            left = row[i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[way]
            row[i] = (row[i] + guess) & 255
        rows.append(bytes(row))
        above = row
    return rows


def palette_of(counts):
    """Sixteen colours: the most frequent that are not too near to one another."""
    for apart in (48, 32, 16, 0):
        chosen = []
        for colour, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if len(chosen) < 16 and all(distance(colour, other) >= apart * apart for other in chosen):
                chosen.append(colour)
        if len(chosen) == 16 or apart == 0:
            return chosen


def distance(a, b):
    return sum((x - y) ** 2 for x, y in zip(a, b))


def shrink(path):
    data = path.read_bytes()
    parts = list(chunks(data))
    width, height, depth, kind = struct.unpack(">IIBB", parts[0][1][:10])
    assert (depth, kind) == (8, 2), "an RGB picture is wanted"
    rows = unfiltered(zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT")), width, height)
    pixels = [[row[i:i + 3] for i in range(0, len(row), 3)] for row in rows]
    counts = {}
    for row in pixels:
        for pixel in row:
            counts[pixel] = counts.get(pixel, 0) + 1
    palette = palette_of(counts)
    index = {colour: min(range(len(palette)), key=lambda i: distance(colour, palette[i])) for colour in counts}
    packed = bytearray()
    for row in pixels:
        packed.append(0)
        numbers = [index[pixel] for pixel in row] + [0]
        packed += bytes(numbers[i] << 4 | numbers[i + 1] for i in range(0, width, 2))

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    path.write_bytes(SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 4, 3, 0, 0, 0)) +
                     chunk(b"PLTE", b"".join(palette)) + chunk(b"IDAT", zlib.compress(bytes(packed), 9)) +
                     chunk(b"IEND", b""))
