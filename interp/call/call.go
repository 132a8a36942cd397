// Package call makes the calls of scripts to the world outside: Http, Exec,
// File, Env, Secret and LLM, behind the engine's Caller.
//
// Every call is bounded in time, in what it may bring back, and by the rules of
// package allow; nothing is allowed by default. The texts of secrets are put in
// at the last moment, and all that comes back (answers, errors) goes through
// one place where they are taken out again. What the environment gives is handed
// in: this package reads no flag and no variable.
package call

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/wf-lang/wf/interp"
	"github.com/wf-lang/wf/interp/call/allow"
	"github.com/wf-lang/wf/interp/call/secret"
	"github.com/wf-lang/wf/interp/engine"
	"github.com/wf-lang/wf/lang/value"
)

// maxBytes is how large an answer may be: what is journaled is at most 4 MB.
const maxBytes = 4 << 20

// Config is what a Caller is made of. Rules, Secrets and Clock are required.
type Config struct {
	Rules    *allow.Rules
	Secrets  *secret.Keeper
	Clock    engine.Clock
	Environ  []string // of the process: NAME=value
	Model    Model
	Resolver *net.Resolver // nil: the system's
}

// A Caller makes calls. It may be used from several goroutines; Close it.
type Caller struct {
	rules   *allow.Rules
	secrets *secret.Keeper
	clock   engine.Clock
	environ []string
	config  Model
	dialer  dialer
	pooled  *http.Transport // keeps connections
	model   *http.Transport // keeps those to the model, for which other rules hold
	single  *http.Transport // a connection for each call: nothing below repeats one
}

// New makes a Caller.
func New(c Config) *Caller {
	out := &Caller{rules: c.Rules, secrets: c.Secrets, clock: c.Clock, environ: c.Environ, config: c.Model,
		dialer: dialer{rules: c.Rules, resolver: c.Resolver}}
	out.pooled, out.model, out.single = out.dialer.transport(), out.dialer.transport(), out.dialer.transport()
	out.single.DisableKeepAlives = true
	return out
}

// Close lets go of connections that are kept.
func (c *Caller) Close() {
	c.pooled.CloseIdleConnections()
	c.model.CloseIdleConnections()
	c.single.CloseIdleConnections()
}

// Call makes a call. Its errors are *interp.Fault, but for that of a context
// that is done.
func (c *Caller) Call(ctx context.Context, call engine.Call) (value.Value, error) {
	v, err := c.dispatch(ctx, call)
	if ctx.Err() != nil && err != nil {
		return value.Nil, ctx.Err() // nobody waits for it any more
	}
	if err == nil {
		return c.secrets.RedactValue(v), nil
	}
	f := faultOf(err)
	f.Message, f.Detail = c.secrets.Redact(f.Message), c.secrets.RedactValue(f.Detail)
	return value.Nil, f
}

func (c *Caller) dispatch(ctx context.Context, call engine.Call) (value.Value, error) {
	a := arguments{op: call.Op, given: call.Args}
	switch call.Op.Module {
	case "Http":
		return c.http(ctx, a, call)
	case "Exec":
		return c.exec(ctx, a, call)
	case "File":
		return c.file(ctx, a)
	case "Env":
		return c.env(a)
	case "Secret":
		return c.secret(a)
	case "LLM":
		return c.ask(ctx, a, call)
	}
	return value.Nil, fail("unavailable", "%s is not available here", call.Op.FullName())
}

// fail makes a fault.
func fail(code, format string, args ...any) *interp.Fault {
	return &interp.Fault{Code: code, Message: fmt.Sprintf(format, args...), Index: -1}
}

func badArgument(format string, args ...any) *interp.Fault {
	return fail("bad_argument", format, args...)
}

// faultOf makes a fault of any error: what is not allowed, what there is no
// secret for, what values cannot do.
func faultOf(err error) *interp.Fault {
	var (
		fault   *interp.Fault
		denied  *allow.Denied
		missing *secret.Error
		bad     *value.Error
	)
	switch {
	case errors.As(err, &fault):
		out := *fault
		return &out
	case errors.As(err, &denied):
		return fail("denied", "%s", denied.Error())
	case errors.As(err, &missing) && missing.Missing:
		return fail("not_found", "%s", missing.Message)
	case errors.As(err, &missing):
		return badArgument("%s", missing.Message)
	case errors.As(err, &bad):
		return fail(bad.Code, "%s", bad.Message)
	}
	return fail("unavailable", "%s", err.Error())
}

// longestWait bounds a call that nobody bounds: in a program's own statements
// and in steps without a timeout.
const longestWait = 5 * time.Minute

// patience is how long a call may take, and the error of one that takes longer:
// what the script says, else what is left of its step (then it is 0), else five
// minutes. The error says that the call was `late`, as in "LLM.ask had no answer".
func patience(a arguments, call engine.Call, late string) (time.Duration, *interp.Fault, error) {
	d, given, err := a.duration("timeout")
	switch {
	case err != nil:
		return 0, nil, err
	case given:
		return d, fail("timeout", "%s within %s", late, value.FormatDuration(d)), nil
	case call.Limit > 0:
		return 0, nil, nil
	}
	return longestWait, fail("timeout", "%s within %s; give it `timeout:` if it takes longer", late, value.FormatDuration(longestWait)), nil
}

// bounded gives a call its time; of what its step bounds ctx ends with the step.
func bounded(ctx context.Context, a arguments, call engine.Call, late string) (context.Context, context.CancelFunc, error) {
	d, fault, err := patience(a, call, late)
	switch {
	case err != nil:
		return nil, nil, err
	case fault == nil:
		ctx, cancel := context.WithCancel(ctx)
		return ctx, cancel, nil
	}
	ctx, cancel := context.WithTimeoutCause(ctx, d, fault)
	return ctx, cancel, nil
}

// timedOut is the fault of a call whose own time is up, nil if it is not.
func timedOut(ctx context.Context) error {
	var f *interp.Fault
	if errors.As(context.Cause(ctx), &f) {
		return f
	}
	return nil
}
