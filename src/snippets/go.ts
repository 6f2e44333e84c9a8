import { hasUnseen, jsonText, type SnippetCall } from './snippet.ts';

/** A Go program without modules. */
export function go({ url, arguments: sent, key }: SnippetCall): string {
  // Written between back-quotes, where only another back-quote is special.
  const json = jsonText(sent, (character) => character !== '`' && !hasUnseen(character));
  const apiKey = key === undefined ? '' : `\trequest.Header.Set("x-api-key", "${key}")\n`;
  return `package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strings"
)

func main() {
	arguments := \`${json}\`
	request, err := http.NewRequest("POST", "${url}", strings.NewReader(arguments))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
${apiKey}	response, err := http.DefaultClient.Do(request)
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
}`;
}
