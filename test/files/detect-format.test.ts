import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { detectFormat } from '../../src/files/detect-format.ts';
import { ROOT } from '../support/service.ts';
import { workbookOf } from '../support/workbook-of.ts';
import { zipOf } from '../support/zip-of.ts';

const fixture = (name: string) => readFileSync(path.join(ROOT, 'test/fixtures/tables', name));
const detect = (content: string | Uint8Array, file: string) =>
  detectFormat(Buffer.from(content as string), file);

test.each([
  ['csv', 'a,b\n1,2\n', 'f'],
  ['csv', '', 'f.csv'],
  ['csv', 'PK,name\n1,x\n', 'f.csv'],
  ['csv', 'PAR1,PAR2\n1,x\n', 'f.csv'],
  ['csv', 'ORCID,name\n', 'f.csv'],
  ['csv', '[id],[name]\n', 'f.json'],
  ['csv', '[1],[2]\n3,4\n', 'f.csv'],
  ['csv', '12\n', 'f.csv'],
  ['csv', 'name\n', 'f.json'],
  ['csv', '<5,6-9\n1,2\n', 'f.csv'],
  ['csv', Buffer.from('\ufeffa,b\n', 'utf16le'), 'f.csv'],
  ['csv', Buffer.from('a,b\n', 'utf16le'), 'f.csv'],
  ['csv', `a,b\n\0,1\n${'3,4\n'.repeat(9)}`, 'f.csv'],
  ['csv', 'start time,end\n1,2\n', 'f.csv'],
  ['csv', 'set name,create table\n1,2\n', 'f.csv'],
  ['csv', 'f(x),g(x)\n1,2\n', 'f.csv'],
  ['csv', '---,a: b\n', 'f.csv'],
  ['tsv', 'a\tb\n', 'F.TSV'],
  ['ndjson', '{"a":1}\n{"a":2}\n', 'f.json'],
  ['ndjson', '\ufeff{"a":1}\r\n\r\n{"a":2}', 'f.txt'],
  ['ndjson', '{"a":1}\n', 'f.jsonl'],
  ['ndjson', '\x1e{"a":1}\n\x1e{"a":2}\n', 'f'],
  ['json', '{\n"a":1}\n{\n"a":2}\n', 'f.jsonl'],
  ['ndjson', '{"a":1\n{"a":2}\n', 'f.jsonl'],
  ['json', '{"a":1}{"a":2}\n', 'f'],
  ['geojson', '{\n"type": "Feature",\n"x":1}', 'f.json'],
  ['geojson', '\x1e{"type":"Feature"}\n\x1e{"type":"Feature"}\n', 'f'],
  ['json', '{"a":1}\n', 'f'],
  ['json', ' [\n{"a":1}]', 'f.csv'],
  ['json', '{\n "data": [{"a":1}]}', 'f.csv'],
  ['json', '[]', 'f.ndjson'],
  ['geojson', '{"name":"x", "type" : "FeatureCollection","features":[]}', 'f.json'],
  ['geojson', '{"features":[]}', 'f.geojson'],
  ['geojson', '{"type":"Feature"}\n{"type":"Feature"}\n', 'f.json'],
  ['json', Buffer.from('\ufeff[]', 'utf16le'), 'f.json'],
  ['json', Buffer.from('\ufeff[{"a":1}]', 'utf16le'), 'f.txt'],
  ['ndjson', Buffer.from('{"a":1}\n{"a":2}\n', 'utf16le'), 'f'],
  ['parquet', fixture('snappy.parquet'), 'f.csv'],
  ['xlsx', fixture('openpyxl.xlsx'), 'f.csv'],
  ['xlsx', fixture('xlsxwriter-1904.xlsx'), 'f'],
  ['xlsx', workbookOf('<sheetData/>'), 'f'],
])('%s: by content first, then by name', (format, content, file) => {
  expect(detect(content, file)).toBe(format);
});

describe('what is no table is refused by what it is', () => {
  test.each([
    ['<!DOCTYPE html><html>', 'f.csv', 'f.csv: a web page, perhaps of a login or an error'],
    ['\n<HTML lang="en">', 'f.json', 'a web page'],
    ['<table><tr>', 'f.htm', 'a web page'],
    [
      '<html><body><table><tr>',
      'f.xls',
      'for Excel; open it in a spreadsheet, and save it as .xlsx',
    ],
    [
      '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
      'f.xml',
      'for Excel; open it in a spreadsheet',
    ],
    ['<html><title>Login</title>', 'f.xls', 'a web page, perhaps of a login'],
    ['/**/jQuery.cb_1([{"a":1}]);', 'f.json', 'JSON within a call of a function (JSONP); take out'],
    ['window.data.part0 = [ {"a":1} ]', 'f.js', 'JavaScript with JSON in it; take out all before'],
    ['-- MySQL dump\nSET x=1;\nCREATE TABLE t (a int);\n', 'f.csv', 'an SQL dump; load it into'],
    ['INSERT INTO t VALUES (1,2);\n', 'f.sql', 'an SQL dump'],
    ['BEGIN:VCALENDAR\r\nVERSION:2.0\r\n', 'f.txt', 'a calendar (.ics); export its events'],
    ['---\n- name: a\n  n: 1\n', 'f.txt', 'YAML; write it as JSON: yq -o=json'],
    ['name: a\n', 'f.yml', 'YAML'],
    ['1.2.3.4 - - [28/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5\n', 'f.log', "server's log"],
    ['#Version: 1.0\n#Fields: date time\n2020-01-01 00:00:00\n', 'f.log', "server's log (W3C)"],
    ['% made\n\n@RELATION weather\n@attribute a numeric\n', 'f.arff', 'a file of Weka (.arff)'],
    [
      ' a  | b\n----+---\n  1 | 2\n(1 row)\n',
      'f.txt',
      'a table as psql shows it; let it write CSV',
    ],
    ['+---+---+\n| a | b |\n+---+---+\n', 'f.txt', 'a table as a terminal shows it, with frames'],
    ['<?xml version="1.0"?><kml>', 'f.kml', 'XML; save its table as CSV'],
    ['', 'f.json', 'f.json: is empty; write a list of objects, one for each row'],
    [' \n', 'f.ndjson', 'f.ndjson: is empty'],
    ['', 'f.geojson', 'is empty'],
    ['[1,2,3]\n', 'f', 'f: JSON of values: expected a list of objects, with a name for each'],
    ['[ -1.5e3 , 2]', 'f.json', 'JSON of values'],
    ['[true]\n', 'f.txt', 'JSON of values'],
    ['[\n  1,\n  2\n]', 'f.csv', 'JSON of values'],
    ['"hello"\n', 'f.json', 'f.json: JSON of one value: expected a list of objects'],
    ['null', 'f.json', 'JSON of one value'],
    ['%PDF-1.7', 'f.csv', 'a PDF; ask its publisher'],
    ['\x1f\x8b\x08', 'f.csv.gz', 'packed with gzip; unpack it'],
    [
      '\xd0\xcf\x11\xe0',
      'f.xls',
      'an old Excel file (.xls), or one with a password; save it as .xlsx',
    ],
    ['\xd0\xcf\x11\xe0', 'f.xlsx', 'an Excel file with a password; save it without one'],
    ['SQLite format 3\0', 'f.db', 'an SQLite database'],
    ['a\0\0b\x01', 'f.csv', 'bytes of no table'],
    [`\x01\x02\0${'a,b\n'.repeat(30)}`, 'f.csv', 'bytes of no table'],
    ['a,b\n\0\0\0,1\n', 'f.csv', '--bad-bytes replace leaves them out of a text'],
    [`a/${'\0'.repeat(255)}ustar  \0`, 'f.tar', 'a tar archive; unpack it'],
  ])('%j, %s', (content, file, message) => {
    expect(() => detect(Buffer.from(content, 'latin1'), file)).toThrow(message);
  });

  test('zip archives, by their first file', () => {
    const ods = zipOf({ mimetype: 'application/vnd.oasis.opendocument.spreadsheet' });
    expect(() => detect(ods, 'f.ods')).toThrow('an OpenDocument file (.ods); save it as .xlsx');
    expect(() => detect(zipOf({ 'data/a.csv': 'a' }), 'f.zip')).toThrow(
      'f.zip: a zip archive that begins with "data/a.csv"; unpack it',
    );
    expect(() => detect(zipOf({}), 'f.xlsx')).toThrow('a zip archive that begins with ""');
  });
});
