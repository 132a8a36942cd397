// Package secret has the texts of secrets: it puts them in where a call uses
// them, and takes them out of whatever comes back.
//
// A script only ever has a value.Secret, which knows names. The texts come from
// the environment (WF_SECRET_STRIPE for the secret `stripe`) or a configuration
// file and stay in this package and in the call that uses them.
package secret

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/wf-lang/wf/lang/value"
)

// minLength is how many bytes a secret has at least: a shorter one could not be
// taken out of answers without taking half of them out.
const minLength = 4

// maxName is how many bytes the name of a secret has at most.
const maxName = 128

// EnvName is the variable of the environment that holds a secret: WF_SECRET_ and
// the name in capitals, with _ for what is neither letter nor digit.
func EnvName(name string) string {
	var sb strings.Builder
	sb.WriteString("WF_SECRET_")
	for _, c := range strings.ToUpper(name) {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			c = '_'
		}
		sb.WriteRune(c)
	}
	return sb.String()
}

// An Error says why there is no text for a secret.
type Error struct {
	Missing bool // there is no secret of this name; else it cannot be used
	Message string
}

func (e *Error) Error() string { return e.Message }

// A Keeper has the secrets of a process. It may be used from several goroutines.
type Keeper struct {
	environ    map[string]string // by EnvName
	configured map[string]string // by name
	pretends   bool              // there is a text for every name

	mu    sync.Mutex
	shown patterns // guarded by mu
}

// New makes a keeper of the process's environment, NAME=text each, and of the
// secrets of a configuration file; of two for one name the environment's counts.
// others are texts that no script gets, and that are taken out of answers too.
func New(environ []string, configured map[string]string, others ...string) *Keeper {
	k := &Keeper{environ: map[string]string{}, configured: configured, shown: patterns{of: map[string]string{}}}
	for _, e := range environ {
		name, text, _ := strings.Cut(e, "=")
		if short, ok := strings.CutPrefix(name, "WF_SECRET_"); ok {
			k.environ[name] = text
			k.shown.add(strings.ToLower(short), text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(configured)) {
		k.shown.add(name, configured[name])
	}
	for _, text := range others {
		k.shown.add("configured", text)
	}
	return k
}

// Pretend makes a keeper for tests: there is every secret, its text made of its
// name.
func Pretend() *Keeper {
	return &Keeper{pretends: true, shown: patterns{of: map[string]string{}}}
}

// Check says, with an *Error, why a secret cannot be used; nil if it can.
func (k *Keeper) Check(name string) error {
	_, err := k.lookup(name)
	return err
}

func (k *Keeper) lookup(name string) (string, error) {
	if name == "" || len(name) > maxName {
		return "", &Error{Message: fmt.Sprintf("the name of a secret has 1 to %d characters", maxName)}
	}
	if k.pretends {
		return "pretended " + name, nil
	}
	text, ok := k.environ[EnvName(name)]
	if !ok {
		text, ok = k.configured[name]
	}
	switch {
	case !ok:
		return "", &Error{Missing: true, Message: fmt.Sprintf("there is no secret %q: set %s in the environment, or `secrets` in the configuration file", name, EnvName(name))}
	case len(text) < minLength:
		return "", &Error{Message: fmt.Sprintf("the secret %q has fewer than %d characters, too few to be kept one", name, minLength)}
	}
	return text, nil
}

// Text is the text that a secret stands for. Whoever has it must not let it out
// of the call that it is for. From now on it is taken out of answers, in the
// form it has here too.
func (k *Keeper) Text(s *value.Secret) (string, error) {
	text, err := k.text(s.Parts)
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	k.shown.add(nameOf(s.Parts), text)
	k.mu.Unlock()
	return text, nil
}

func (k *Keeper) text(parts []value.SecretPart) (string, error) {
	var sb strings.Builder
	for i := range parts {
		text := parts[i].Text
		var err error
		switch parts[i].Kind {
		case value.SecretName:
			text, err = k.lookup(text)
		case value.SecretBase64:
			if text, err = k.text(parts[i].Parts); err == nil {
				// what is inside shows itself in its Base64, whatever stands around it
				text = base64.StdEncoding.EncodeToString([]byte(text))
				k.mu.Lock()
				k.shown.add(nameOf(parts[i].Parts), text)
				k.mu.Unlock()
			}
		}
		if err != nil {
			return "", err
		}
		sb.WriteString(text)
	}
	return sb.String(), nil
}

// nameOf is the first name among parts.
func nameOf(parts []value.SecretPart) string {
	for i := range parts {
		if parts[i].Kind == value.SecretName {
			return parts[i].Text
		}
		if name := nameOf(parts[i].Parts); name != "" {
			return name
		}
	}
	return ""
}
