import { describe, expect, test } from '@jest/globals';
import type { SnippetCall } from '../../src/snippets/snippet.ts';
import { snippetsOf } from '../../src/snippets/snippets-of.ts';

const url = 'https://data.example/api_v2/blocks/trees';
const call = { url, arguments: { species: ['oak', "maple's"], height_min: 2.5 } };

function textOf(language: string, asked: SnippetCall): string | undefined {
  return snippetsOf(asked).find((snippet) => snippet.language === language)?.text;
}

const IN_FULL: Readonly<Record<string, string>> = {
  curl: `curl https://data.example/api_v2/blocks/trees -G -d species=oak -d species=maple%27s -d height_min=2.5`,
  javascript: `const response = await fetch('https://data.example/api_v2/blocks/trees', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    species: ['oak', 'maple\\'s'],
    height_min: 2.5,
  }),
});
const { params, detail } = await response.json();
if (!response.ok) throw new Error(detail);
console.log(JSON.stringify(params, null, 2));`,
  python: `import json
import urllib.error
import urllib.request

arguments = {
    "species": ["oak", "maple's"],
    "height_min": 2.5,
}
request = urllib.request.Request(
    "https://data.example/api_v2/blocks/trees",
    data=json.dumps(arguments).encode(),
    headers={"Content-Type": "application/json"},
)
try:
    with urllib.request.urlopen(request) as response:
        print(json.dumps(json.load(response)["params"], indent=2))
except urllib.error.HTTPError as error:
    raise SystemExit(json.load(error)["detail"])`,
  ruby: `require "json"
require "net/http"

arguments = {
  "species" => ["oak", "maple's"],
  "height_min" => 2.5,
}
headers = { "Content-Type" => "application/json" }
response = Net::HTTP.post(URI("https://data.example/api_v2/blocks/trees"), arguments.to_json, headers)
answer = JSON.parse(response.body)
abort answer["detail"] unless response.is_a?(Net::HTTPSuccess)
puts JSON.pretty_generate(answer["params"])`,
  php: `<?php
$arguments = (object) [
    'species' => ['oak', 'maple\\'s'],
    'height_min' => 2.5,
];
$options = [
    'method' => 'POST',
    'header' => ['Content-Type: application/json'],
    'content' => json_encode($arguments),
    'ignore_errors' => true,
];
$url = 'https://data.example/api_v2/blocks/trees';
$answer = json_decode(file_get_contents($url, false, stream_context_create(['http' => $options])));
$params = $answer->params ?? throw new Exception($answer->detail);
echo json_encode($params, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\\n";`,
  r: `rows <- read.csv("https://data.example/api_v2/blocks/trees?species=oak&species=maple%27s&height_min=2.5&_format=csv", check.names = FALSE)
print(rows)`,
  go: `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	arguments := \`{"species":["oak","maple's"],"height_min":2.5}\`
	request, err := http.NewRequest("POST", "https://data.example/api_v2/blocks/trees", strings.NewReader(arguments))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	var answer struct {
		Params json.RawMessage
		Detail string
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		log.Fatal(answer.Detail)
	}
	fmt.Println(string(answer.Params))
}`,
  spreadsheet: `=IMPORTDATA("https://data.example/api_v2/blocks/trees?species=oak&species=maple%27s&height_min=2.5&_format=csv")`,
};

describe('a call in every language', () => {
  test('comes in this order, with these titles', () => {
    expect(snippetsOf(call).map(({ language, title }) => [language, title])).toEqual([
      ['curl', 'curl'],
      ['javascript', 'JavaScript'],
      ['python', 'Python'],
      ['ruby', 'Ruby'],
      ['php', 'PHP'],
      ['r', 'R'],
      ['go', 'Go'],
      ['spreadsheet', 'Spreadsheet'],
    ]);
  });

  test.each(Object.entries(IN_FULL))('in %s', (language, text) => {
    expect(textOf(language, call)).toBe(text);
  });
});

describe('curl', () => {
  test.each([
    ['a number', { a: 1e21 }, '-d a=1000000000000000000000'],
    ['a text with spaces', { a: '*court st*' }, "-d 'a=*court+st*'"],
    ['a list of two', { a: [1, 'b'] }, '-d a=1 -d a=b'],
    ['a comma', { a: 'b,c' }, "-d 'a=b,c'"],
    ['a name that asks curl for a file', { '@a': 'b' }, '-d %40a=b'],
    ['a blank', { a: '' }, '-d a='],
    [
      'what is grouped by',
      { _group: ['a.month'], _measure: ['count'] },
      '-d _group=a.month -d _measure=count',
    ],
  ])('sends a query for %s', (_, sent, line) => {
    expect(textOf('curl', { url, arguments: sent })).toBe(`curl ${url} -G ${line}`);
  });

  test('reads by GET what has no arguments, and by POST what is too long for an address', () => {
    expect(textOf('curl', { url, arguments: {} })).toBe(`curl ${url} -G -d _format=json`);
    const long = 'x'.repeat(9000);
    expect(textOf('curl', { url, arguments: { a: long } })).toBe(`curl ${url} -d a=${long}`);
  });

  test.each([
    ['a truth', { a: true }, '{"a":true}'],
    ['a list of one', { a: ['b'] }, '{"a":["b"]}'],
    ['a list of truths', { a: [true, false] }, '{"a":[true,false]}'],
    ['a list of none', { a: [] }, '{"a":[]}'],
    ['null', { a: null }, '{"a":null}'],
    ['a truth beside a quote', { a: true, b: "'" }, '{"a":true,"b":"\\u0027"}'],
    ['a truth beside a backslash', { a: true, b: '\\"' }, '{"a":true,"b":"\\u005c\\""}'],
  ])('sends JSON for %s, which a form cannot say', (_, sent, json) => {
    const line = `-H 'Content-Type: application/json' -d '${json}'`;
    expect(textOf('curl', { url, arguments: sent })).toBe(`curl ${url} ${line}`);
  });
});

describe('a format that was asked for', () => {
  const asked = { url, arguments: { _format: 'ndjson', species: 'oak' } };

  test.each(['javascript', 'python', 'ruby', 'php', 'go'])(
    '%s reads JSON, and leaves it out',
    (language) => {
      expect(textOf(language, asked)).not.toContain('_format');
    },
  );

  test.each(['r', 'spreadsheet'])('%s reads CSV, and asks for that', (language) => {
    expect(textOf(language, asked)).toContain(`${url}?_format=csv&species=oak"`);
  });

  test('curl prints what it gets, and asks for it', () => {
    expect(textOf('curl', asked)).toBe(`curl ${url} -G -d _format=ndjson -d species=oak`);
  });
});

describe('a key', () => {
  test.each([
    ['curl', "-H 'x-api-key: aB3+/='"],
    ['javascript', "'x-api-key': 'aB3+/='"],
    ['python', '"x-api-key": "aB3+/="'],
    ['ruby', '"x-api-key" => "aB3+/="'],
    ['php', "'x-api-key: aB3+/='"],
    ['r', ', headers = c("x-api-key" = "aB3+/="))'],
    ['go', 'request.Header.Set("x-api-key", "aB3+/=")'],
    ['spreadsheet', '&api_key=aB3%2B%2F%3D")'],
  ])('in %s is %s', (language, text) => {
    expect(textOf(language, { ...call, key: 'aB3+/=' })).toContain(text);
  });

  test.each(['', 'a b', "a'", 'a"', 'a\r\nb: c', 'é', '`a`', '$a', '=a'])('%j is none', (key) => {
    expect(snippetsOf({ ...call, key })).toEqual(snippetsOf(call));
  });
});

describe('an address that is too long', () => {
  const ofLength = (length: number) => {
    const start = `${url}?species=`.length;
    return { url, arguments: { species: 'x'.repeat(length - start - '&_format=csv'.length) } };
  };
  const languages = (length: number) =>
    snippetsOf(ofLength(length)).map(({ language }) => language);

  test.each([
    [2048, ['r', 'spreadsheet']],
    [2049, ['r']],
    [9000, ['r']],
    [9001, []],
  ])('%i characters are taken by %j', (length, takers) => {
    const found = languages(length);
    expect(['r', 'spreadsheet'].filter((language) => found.includes(language))).toEqual(takers);
    expect(found).toEqual(expect.arrayContaining(['curl', 'javascript', 'python', 'go']));
  });
});

test('an address of the block that is not one holds no quote of any language', () => {
  for (const { text } of snippetsOf({
    url: `https://a/'"\`\\$(x) {y}|&;<\u2019\n>`,
    arguments: {},
  })) {
    expect(text).toContain('https://a/%27%22%60%5C%24%28x%29%20%7By%7D%7C%26%3B%3C%E2%80%99%0A%3E');
  }
});
