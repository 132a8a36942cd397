package services

import (
	"encoding/json"
	"strings"
)

// A Message is one of a conversation with a model.
type Message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// A Model is a chat endpoint in the form that OpenAI made common: it says what
// reply gives for the messages of a request. Its answers count as 100 tokens.
func Model(reply func([]Message) string) Handler {
	return func(r *Request) Answer {
		var asked struct {
			Messages []Message `json:"messages"`
		}
		if err := json.NewDecoder(strings.NewReader(r.Body)).Decode(&asked); err != nil {
			return Answer{Status: 400, Body: `{"error": "no JSON"}`}
		}
		return JSON(map[string]any{
			"choices": []any{map[string]any{"message": Message{"assistant", reply(asked.Messages)}}},
			"usage":   map[string]int{"total_tokens": 100},
		})
	}
}

// JSON is an answer of JSON.
func JSON(v any) Answer {
	b, err := json.Marshal(v)
	if err != nil {
		return Answer{Status: 500, Body: err.Error()}
	}
	return Answer{Body: string(b)}
}
