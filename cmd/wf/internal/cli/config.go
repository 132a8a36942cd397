package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// configName is the configuration file that is read if no other is named: in
// the folder that the store is in.
const configName = "wf.json"

// A config is what the configuration file says: what is no business of a script,
// and nothing that a flag says.
type config struct {
	Secrets map[string]string `json:"secrets"` // texts, by name
	Model   modelConfig       `json:"model"`
	path    string            // of the file; "" if there is none
}

type modelConfig struct {
	BaseURL string `json:"base_url"`
	Name    string `json:"name"`
	APIKey  string `json:"api_key"`
	Budget  uint64 `json:"budget"` // tokens of an instance, 0: no bound
}

// readConfig reads the configuration file that was named, or the one beside the
// store, if there is one; the environment overrides what it says of the model.
func (a *app) readConfig(named, store string) (*config, error) {
	c := &config{path: named}
	if named == "" {
		c.path = filepath.Join(filepath.Dir(filepath.Clean(store)), configName)
	}
	err := c.read()
	if errors.Is(err, fs.ErrNotExist) && named == "" {
		c.path, err = "", nil
	}
	if err != nil {
		return nil, err
	}
	a.warnReadable(c)
	for name, to := range map[string]*string{"WF_LLM_BASE_URL": &c.Model.BaseURL, "WF_LLM_MODEL": &c.Model.Name, "WF_LLM_API_KEY": &c.Model.APIKey} {
		if v := a.getenv(name); v != "" {
			*to = v
		}
	}
	if v := a.getenv("WF_LLM_BUDGET"); v != "" {
		if c.Model.Budget, err = strconv.ParseUint(v, 10, 63); err != nil {
			return nil, usage("WF_LLM_BUDGET is %q, not a number of tokens", v)
		}
	}
	return c, nil
}

func (c *config) read() error {
	f, err := os.Open(c.path)
	if err != nil {
		return usage("the configuration file: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return usage("the configuration file: %w", err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err = d.Decode(c)
	if err == nil && d.More() {
		err = errors.New("something follows the object")
	}
	if err != nil {
		// the error of a wrong value may repeat it, and it may be a secret
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) {
			err = fmt.Errorf("%s has to be %s, and there is a JSON %s", cmp.Or(kind.Field, "it"), jsonWanted(kind.Type), kind.Value)
		}
		return usage("the configuration file %s cannot be read: %s\nit is JSON like { \"secrets\": { \"NAME\": \"text\" }, \"model\": { \"base_url\": \"…\", \"name\": \"…\", \"api_key\": \"…\", \"budget\": 100000 } }",
			c.path, strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}

// jsonWanted says what JSON has to stand where the configuration has a type.
func jsonWanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Uint64:
		return "a whole number, 0 or more"
	}
	return "an object"
}

// warnReadable says so when others can read the secrets of the file.
func (a *app) warnReadable(c *config) {
	if c.path == "" || runtime.GOOS == "windows" || len(c.Secrets) == 0 && c.Model.APIKey == "" {
		return
	}
	if info, err := os.Stat(c.path); err == nil && info.Mode().Perm()&0o077 != 0 {
		a.sayf("%s has secrets in it and others can read it; chmod 600 %s", c.path, c.path)
	}
}
