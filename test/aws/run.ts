import { tryService } from './try.ts';

// `npm run try:aws -- BASE_URL`: asks a deployed service what only AWS can tell. It only reads. A key
// goes in BLOCKYARD_KEY. Exit 1 if an answer is not as expected.
const [baseUrl, ...more] = process.argv.slice(2);
if (baseUrl === undefined || more.length > 0) {
  console.error('Usage: npm run try:aws -- BASE_URL (a key in BLOCKYARD_KEY)');
  process.exit(2);
}
try {
  const different = await tryService(
    baseUrl.replace(/\/+$/, ''),
    process.env.BLOCKYARD_KEY || undefined,
    (line) => console.log(line),
  );
  process.exitCode = different === 0 ? 0 : 1;
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 2;
}
