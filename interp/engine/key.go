package engine

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/wf-lang/wf/interp/flow"
)

// key is the idempotency key of a request: the same while its outcome is
// unknown and when a retry repeats what had succeeded, a new one after an error
// that settles it.
func (a *attempt) key(hash uint64) string {
	h := fnv.New128a()
	fmt.Fprintf(h, "%s\x00%s\x00%s\x00%s\x00%d\x00%d\x00%d\x00%d", a.e.tail.StoreID, a.in.id, a.path, a.step, a.visit,
		hash, a.oks[hash], a.errs[hash])
	return hex.EncodeToString(h.Sum(nil))
}

// countError counts the errors that settle a request; what are its words in the
// journal.
func (a *attempt) countError(what string, hash uint64, f *flow.Failure) {
	if f == nil || !Settles(what, f.Code) {
		return
	}
	if a.errs == nil {
		a.errs = map[uint64]int{}
	}
	a.errs[hash]++
}

// Settles reports whether an error is an answer to a request, as Record.What names
// it, so that asking again is a new request with a key of its own. After any other
// error what was asked may be done, and who is asked again has to recognize it: no
// answer has come, a gateway had none, or it was a good one that the script cannot
// use.
func Settles(what, code string) bool {
	switch module, _, _ := strings.Cut(strings.TrimPrefix(what, "perform "), "."); module {
	case "Http":
		return settledStatus(code)
	case "LLM":
		return settledStatus(code) || code == "schema" // the same request has the same reply
	case "Exec":
		digits, ended := strings.CutPrefix(code, "exec_")
		_, err := strconv.Atoi(digits) // a signal has no code
		return ended && err == nil
	}
	return !unanswered(code)
}

// settledStatus reports whether code is that of an error that a service answered.
func settledStatus(code string) bool {
	digits, answered := strings.CutPrefix(code, "http_")
	_, err := strconv.Atoi(digits)
	return answered && err == nil && !gateway(code)
}

// gateway reports whether an error is what a gateway says that had no answer itself.
func gateway(code string) bool { return code == "http_502" || code == "http_504" }

// unanswered reports whether an error of a request says that no answer has come.
func unanswered(code string) bool { return code == "unavailable" || code == "timeout" }
