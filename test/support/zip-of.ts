import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive of these files; `declared` replaces the size that it says one has. */
export function zipOf(
  files: Readonly<Record<string, string | Uint8Array>>,
  declared?: number,
): Buffer {
  const [locals, centrals]: Buffer[][] = [[], []];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(8, 4);
    header.writeUInt32LE(crc32(bytes), 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(declared ?? bytes.length, 18);
    header.writeUInt16LE(nameBytes.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), header, nameBytes, packed]);
    locals?.push(local);
    centrals?.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), header, place, nameBytes]));
    offset += local.length;
  }
  const central = Buffer.concat(centrals ?? []);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(centrals?.length ?? 0, 8);
  end.writeUInt16LE(centrals?.length ?? 0, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...(locals ?? []), central, end]);
}
