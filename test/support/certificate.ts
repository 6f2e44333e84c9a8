import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';

export type Certificate = { readonly cert: string; readonly key: string };

type Wanted = {
  /** Names and IPv4 addresses. */
  readonly names: readonly string[];
  readonly from?: Date;
  readonly until?: Date;
};

const DAY_MS = 24 * 3600_000;

/** A certificate signed by itself (X.509, RFC 5280; ECDSA with P-256), made here. */
export function selfSigned({ names, ...validity }: Wanted): Certificate {
  const { from = new Date(Date.now() - DAY_MS), until = new Date(Date.now() + DAY_MS) } = validity;
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, ECDSA_WITH_SHA256);
  const name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, Buffer.from('blockyard')))));
  const version = der(0xa0, der(0x02, Buffer.of(2)));
  const serial = der(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)]));
  const period = der(0x30, ...[from, until].map(generalizedTime));
  const alternatives = der(0x30, ...names.map(generalName));
  const extensions = der(
    0xa3,
    der(0x30, der(0x30, SUBJECT_ALTERNATIVE_NAME, der(0x04, alternatives))),
  );
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' });
  const body = der(
    0x30,
    ...[version, serial, algorithm, name, period, name, subjectKey, extensions],
  );
  return { cert: pem(signed(body, algorithm, privateKey)), key: pemOf(privateKey) };
}

const ECDSA_WITH_SHA256 = Buffer.from('06082a8648ce3d040302', 'hex');
const COMMON_NAME = Buffer.from('0603550403', 'hex');
const SUBJECT_ALTERNATIVE_NAME = Buffer.from('0603551d11', 'hex');

function signed(body: Buffer, algorithm: Buffer, key: KeyObject): Buffer {
  const signature = der(0x03, Buffer.of(0), sign('sha256', body, key));
  return der(0x30, body, algorithm, signature);
}

function generalName(name: string): Buffer {
  return isIP(name) === 4
    ? der(0x87, Buffer.from(name.split('.').map(Number)))
    : der(0x82, Buffer.from(name));
}

function generalizedTime(date: Date): Buffer {
  const [digits = ''] = date.toISOString().replace(/[-:T]/g, '').split('.');
  return der(0x18, Buffer.from(`${digits}Z`));
}

/** A value in DER: its tag, its length, its content. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const value = Buffer.concat(content);
  const { length } = value;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), value]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string;
