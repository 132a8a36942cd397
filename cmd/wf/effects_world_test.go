package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/wf-lang/wf/cmd/wf/internal/services"
)

// canary is in the text of every secret of these tests.
const canary = "c4nary"

// largeID needs all of its 64 bits: as a Float it would be another number.
const largeID = 7615917337495251231

// A scenario is a script of ../../testdata/effects with the world it needs.
type scenario struct {
	name    string
	world   func() services.Handler // in its first state
	secrets []string                // names
	env     []string
	model   bool
	files   map[string]string // that are there before
	made    []string          // that are there afterwards, and the same in each run
	flight  int               // how many calls may be under way at once
	lost    int               // how many answers get lost on their way
	signal  *signalled
	queries [][]string // an instance, a query, and the answer
	events  []string   // parts of the log of events, in JSON
	want    []string   // what is printed, whole lines
}

// signalled is a signal that a person sends when a request has been seen.
type signalled struct{ method, path, id, name, payload string }

func secretText(name string) string { return canary + "-" + name + "/Xy+9" }

// routes are handlers by method and path, of which the end may be open: "GET /orders/".
type routes map[string]services.Handler

func (m routes) handle(r *services.Request) services.Answer {
	path := r.Path
	for {
		if h := m[r.Method+" "+path]; h != nil {
			return h(r)
		}
		i := strings.LastIndex(strings.TrimSuffix(path, "/"), "/")
		if i < 0 {
			return services.Answer{Status: 404, Body: fmt.Sprintf(`{"why": "no %s %s"}`, r.Method, r.Path)}
		}
		path = path[:i+1]
	}
}

// last is the last part of the path.
func last(r *services.Request) string { return r.Path[strings.LastIndex(r.Path, "/")+1:] }

// says is a handler that always says the same.
func says(body string) services.Handler {
	return func(*services.Request) services.Answer { return services.Answer{Body: body} }
}

// only lets nobody in who does not say a secret.
func only(name string, h services.Handler) services.Handler {
	return func(r *services.Request) services.Answer {
		if r.Header.Get("Authorization") != "Bearer "+secretText(name) {
			return services.Answer{Status: 401}
		}
		return h(r)
	}
}

// inTurn gives one answer after the other, and then what h gives.
func inTurn(h services.Handler, first ...services.Answer) services.Handler {
	return func(r *services.Request) services.Answer {
		if len(first) == 0 {
			return h(r)
		}
		a := first[0]
		first = first[1:]
		return a
	}
}

// fields reads a body of JSON, keeping its numbers as they are written.
func fields(r *services.Request) map[string]any {
	d := json.NewDecoder(strings.NewReader(r.Body))
	d.UseNumber()
	m := map[string]any{}
	if err := d.Decode(&m); err != nil {
		return map[string]any{}
	}
	return m
}

func scenarios() []scenario {
	return []scenario{
		{name: "order", world: shop, secrets: []string{"payments"}, flight: 3, lost: 1,
			queries: [][]string{{"order-1", "payment", fmt.Sprint(largeID)}, {"order-1", "status", `"shipped"`},
				{"order-2", "status", `"declined"`}, {"order-3", "status", `"cannot be shipped"`}},
			events: []string{fmt.Sprintf(`"args":[%d,38.05],"instance":"order-1","name":"Paid"`, largeID), `"args":[3],"instance":"order-3","name":"Refunded"`},
			want: []string{
				fmt.Sprintf("order-1: P-order-1, paid 38.05 with %d", largeID),
				"order-2: declined, ben cannot pay 990.00",
				"order-3: not_shipped, too heavy: order-3"}},
		{name: "invoices", world: billing, flight: 1, want: []string{
			"Ann               47,48 €", "Örsted GmbH    1.248,31 €", "together       1.295,79 €"}},
		{name: "backup", world: vault, secrets: []string{"database", "vault"}, env: []string{"BACKUP_NIGHTS=1"}, flight: 1,
			want: []string{`"1 made, the last is shop-1.sql"`}},
		{name: "report", world: office, files: tills(), made: []string{"out/report.csv", "out/report.json"}, flight: 1,
			want: []string{`"5 sales, CHF 1,042.35"`}},
		{name: "webhooks", world: subscribers, secrets: []string{"webhooks"}, flight: 4, want: []string{
			"paid-1/ann: delivered", "paid-1/ben: has no address", "paid-1/cat: delivered", "paid-1/dan: given up: http_410"}},
		{name: "slow-job", world: converter, flight: 1, queries: [][]string{{"film-north.mov", "job", fmt.Sprint(largeID)}},
			want: []string{"north.mov is north.webm", "conversion: no picture in it"}},
		{name: "documents", world: shelves, flight: 4, want: []string{"without map 3: http_404", `"6 of 7 documents"`}},
		{name: "build", world: builder, made: []string{"out/c0ffee.log", "out/badc0de.log"}, flight: 2, want: []string{
			"passed linux-6: ok", "passed linux-5: ok", "passed openbsd-7: ok", "c0ffee: good",
			"passed linux-6: ok", "passed linux-5: ok", "badc0de: tests, openbsd-7: 2 tests failed"}},
		{name: "summary", world: library, model: true, flight: 3, want: []string{`"A voyage (sea, home)"`}},
		{name: "refund-agent", world: support, secrets: []string{"payments"}, model: true, flight: 1,
			signal: &signalled{"POST", "/mails", "chat-1", "decide", `{ by: "ann", yes: true }`},
			want:   []string{`"Both are paid back."`}},
	}
}

// shop has goods, takes payments and sends parcels. The first payment is taken
// and its answer lost on the way.
func shop() services.Handler {
	held := map[string]bool{}
	busy := false
	return routes{
		"POST /reservations": func(r *services.Request) services.Answer {
			order := fields(r)["order"].(string)
			if order == "order-1" && !busy {
				busy = true
				return services.Answer{Status: 503}
			}
			held[order] = true
			return services.JSON(map[string]string{"id": "R-" + order})
		},
		"DELETE /reservations/of/": func(r *services.Request) services.Answer {
			if !held[last(r)] {
				return services.Answer{Status: 404}
			}
			delete(held, last(r))
			return services.Answer{Status: 204}
		},
		"POST /payments": only("payments", func(r *services.Request) services.Answer {
			status, id := "paid", map[string]int{"ann": largeID, "ben": 2, "eve": 3}[fields(r)["customer"].(string)]
			if id == 2 {
				status = "declined"
			}
			answer := services.JSON(map[string]any{"id": id, "status": status})
			answer.Lost = id == largeID
			return answer
		}),
		"POST /refunds": only("payments", says(`{}`)),
		"POST /parcels": func(r *services.Request) services.Answer {
			f := fields(r)
			order := f["order"].(string)
			if order == "order-3" {
				return services.Answer{Status: 422, Body: `{"why": "too heavy: order-3"}`}
			}
			if f["payment"] != json.Number(fmt.Sprint(largeID)) {
				return services.Answer{Status: 409, Body: `{"why": "another payment"}`}
			}
			return services.JSON(map[string]string{"id": "P-" + order})
		},
	}.handle
}

func billing() services.Handler {
	return routes{
		"GET /customers": says(`[{"id": "c-1", "name": "Ann", "mail": "ann@example.com", "vat": 19},
			{"id": "c-2", "name": "Örsted GmbH", "mail": "office@example.com", "vat": 7.7, "discount": 2.5}]`),
		"GET /usage/c-1": says(`[{"text": "calls", "qty": 133, "price": 0.30}]`),
		"GET /usage/c-2": inTurn(says(`[{"text": "storage, GB", "qty": 1200.5, "price": 0.99}, {"text": "calls", "qty": 1, "price": 0.285}]`),
			services.Answer{Status: 500}),
		"POST /numbers": func(r *services.Request) services.Answer {
			return services.JSON(map[string]string{"number": "2030-" + fields(r)["customer"].(string)})
		},
		"POST /mails": inTurn(says(`{}`), services.Answer{Status: 503}),
	}.handle
}

const dump = "CREATE TABLE t (n BIGINT);\nINSERT INTO t VALUES (7615917337495251231);\n"

func vault() services.Handler {
	return routes{
		"RUN /dumpdb/": func(r *services.Request) services.Answer {
			if r.Path != "/dumpdb/--database/shop" || r.Body != secretText("database") {
				return services.Output(1, "", "no access")
			}
			return services.Output(0, dump, "")
		},
		"PUT /backups/": only("vault", inTurn(func(r *services.Request) services.Answer {
			text, err := base64.StdEncoding.DecodeString(r.Body)
			if err != nil || r.Header.Get("Content-Type") != "application/base64" {
				return services.Answer{Status: 400}
			}
			return services.JSON(map[string]any{"name": last(r), "sha256": fmt.Sprintf("%x", sha256.Sum256(text)), "size": len(text)})
		}, services.Answer{Status: 503})),
	}.handle
}

func tills() map[string]string {
	return map[string]string{
		"tills/berne.csv": "at;sku;qty;price\n31.3.2030 01:30;tea;2;4.35\n31.3.2030 03:05;cup;1;1000.00\n",
		"tills/london.json": `{"zone": "Europe/London", "sales": [{"at": "2030-03-31T00:45:00", "sku": "tea", "qty": 3, "price": 4.35},
			{"at": "2030-03-31T02:10:00", "sku": "tea", "qty": 1, "price": 4.35}, {"at": "2030-03-31T02:50:00", "sku": "cake", "qty": 5, "price": 3.25}]}`,
	}
}

func office() services.Handler {
	const table = "hour;sku;qty;amount\n2030-03-31 01:00;tea;5;21.75\n2030-03-31 03:00;cake;5;16.25\n2030-03-31 03:00;cup;1;1000.00\n2030-03-31 03:00;tea;1;4.35\n"
	return routes{
		"GET /rates": says(`{"EUR": 1.0625, "GBP": 0.8871}`),
		"POST /reports": inTurn(func(r *services.Request) services.Answer {
			if r.Body != table {
				return services.Answer{Status: 400, Body: "another table:\n" + r.Body}
			}
			return services.Answer{Status: 201}
		}, services.Answer{Status: 500}),
	}.handle
}

func subscribers() services.Handler {
	signed := func(r *services.Request) services.Answer {
		mac := hmac.New(sha256.New, []byte(secretText("webhooks")))
		mac.Write([]byte(r.Body))
		if r.Header.Get("X-Signature") != "sha256="+hex.EncodeToString(mac.Sum(nil)) || !strings.Contains(r.Body, fmt.Sprint(largeID)) {
			return services.Answer{Status: 400}
		}
		return services.Answer{Status: 202}
	}
	return routes{
		"GET /subscriptions": says(`[{"customer": "ann", "url": "a"}, {"customer": "ben", "url": null}, {"customer": "cat", "url": "c"}, {"customer": "dan", "url": "d"}]`),
		"POST /hooks/a":      inTurn(signed, services.Answer{Status: 429, Header: map[string]string{"Retry-After": "1"}}, services.Answer{Status: 500}),
		"POST /hooks/c":      signed,
		"POST /hooks/d":      func(*services.Request) services.Answer { return services.Answer{Status: 410} },
		"POST /broadcasts":   says(`{}`),
	}.handle
}

// converter loses the first job, and goes on with others as they are looked at.
func converter() services.Handler {
	jobs := map[string]string{}
	next := largeID - 1
	return routes{
		"POST /jobs": inTurn(func(r *services.Request) services.Answer {
			next++
			jobs[fmt.Sprint(next)] = fields(r)["film"].(string)
			return services.JSON(map[string]any{"id": next})
		}, services.Answer{Status: 503}, services.Answer{Body: `{"id": 1}`}),
		"GET /jobs/": func(r *services.Request) services.Answer {
			id := last(r)
			state := map[string]any{"id": json.Number(id), "state": "working"}
			switch {
			case id == "1":
				state["state"] = "lost"
			case r.Query == "seen=0":
				state["percent"] = 40
			case r.Query == "seen=40":
				state["percent"] = 80
			case jobs[id] == "west.mov":
				state["state"], state["error"] = "failed", "no picture in it"
			default:
				state["state"], state["artifact"] = "done", strings.TrimSuffix(jobs[id], ".mov")+".webm"
			}
			return services.JSON(state)
		},
		"PUT /films/": says(`{}`),
	}.handle
}

func shelves() services.Handler {
	text := func(r *services.Request) services.Answer {
		return services.Answer{Header: map[string]string{"Content-Type": "text/plain"}, Body: "A journey to " + last(r) + "."}
	}
	return routes{
		"GET /shelves/travel":  says(`["bern", "rome", "map 3", "oslo", "a/b", "kyiv", "lima"]`),
		"GET /documents/":      text,
		"GET /documents/map 3": func(*services.Request) services.Answer { return services.Answer{Status: 404} },
		"GET /documents/oslo":  inTurn(text, services.Answer{Status: 500}),
		"POST /index":          says(`{}`),
		"PUT /index/travel":    says(`{}`),
	}.handle
}

func builder() services.Handler {
	return routes{
		"RUN /builder/compile/": inTurn(func(r *services.Request) services.Answer {
			return services.Output(0, "out/"+last(r)+".tar\n", "compiled "+last(r))
		}, services.Output(75, "", "no room")),
		"RUN /builder/test/": func(r *services.Request) services.Answer {
			if strings.HasPrefix(r.Path, "/builder/test/openbsd-7/") && strings.HasSuffix(r.Path, "badc0de.tar") {
				return services.Output(1, "", "2 tests failed")
			}
			return services.Output(0, "ok", "")
		},
		"POST /statuses/c0ffee":  says(`{}`),
		"POST /statuses/badc0de": inTurn(says(`{}`), services.Answer{Status: 500}),
	}.handle
}

func library() services.Handler {
	busy := false
	var parts []string
	for i := range 9 {
		parts = append(parts, fmt.Sprintf("Paragraph %d of the voyage.", i))
	}
	model := services.Model(func(ms []services.Message) string {
		asked := ms[len(ms)-1].Content
		switch {
		case strings.HasPrefix(asked, "Paragraph"):
			return "It begins with " + asked[:11] + "."
		case strings.HasPrefix(asked, "Sum up these"):
			return fmt.Sprintf("%d things happened.", strings.Count(asked, "- It begins"))
		case strings.HasPrefix(asked, "Find a title for: 5 things"):
			return "A voyage" // no JSON
		default: // what was wrong is sent back
			return `{"title": "A voyage", "keywords": ["sea", "home"]}`
		}
	})
	return routes{
		"GET /texts/voyage": func(*services.Request) services.Answer { return services.Answer{Body: strings.Join(parts, "\n\n")} },
		"POST /v1/chat/completions": only("llm", func(r *services.Request) services.Answer {
			if strings.Contains(r.Body, "Paragraph 2") && !busy {
				busy = true
				return services.Answer{Status: 429, Header: map[string]string{"Retry-After": "0"}}
			}
			return model(r)
		}),
		"POST /summaries": says(`{}`),
	}.handle
}

// support has two orders, and a model that gives their money back.
func support() services.Handler {
	model := services.Model(func(ms []services.Message) string {
		switch asked := ms[len(ms)-1].Content; {
		case strings.HasPrefix(asked, "My order"):
			return `{"tool": "lookup", "order": "A-17"}`
		case strings.Contains(asked, `"id": "A-17"`):
			return `{"tool": "refund", "order": "A-17"}`
		case strings.Contains(asked, fmt.Sprintf("number %d", largeID)):
			return `{"tool": "refund", "order": "A-18"}`
		case strings.HasPrefix(asked, "given back"):
			return `{"tool": "say", "text": "Both are paid back."}`
		default:
			return `{"tool": "say", "text": "I do not know what to do with: ` + asked + `"}`
		}
	})
	return routes{
		"POST /v1/chat/completions": only("llm", model),
		"GET /orders/A-17":          says(`{"id": "A-17", "item": "cup", "price": 19.99}`),
		"GET /orders/A-18":          says(`{"id": "A-18", "item": "piano", "price": 4200.00}`),
		"POST /mails":               says(`{}`),
		"POST /refunds": only("payments", func(r *services.Request) services.Answer {
			if fields(r)["order"] == "A-17" {
				return services.JSON(map[string]any{"id": largeID})
			}
			return services.JSON(map[string]any{"id": largeID + 1})
		}),
	}.handle
}
