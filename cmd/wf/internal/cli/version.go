package cli

import (
	"bufio"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func newVersion(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version of wf",
		Example: "  wf version\n  wf version --json",
		Args:    between(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			v := versionOf()
			return a.render(func(w *bufio.Writer) error {
				if a.json {
					return writeJSON(w, v)
				}
				fmt.Fprintf(w, "wf %s (%s, %s)\n", v.Version, v.Go, v.Platform)
				return nil
			})
		},
	}
	a.jsonFlag(cmd, "as one JSON document")
	return cmd
}

type versionJSON struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// versionOf reads what the Go toolchain has noted in the binary.
func versionOf() versionJSON {
	v := versionJSON{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			v.Commit = s.Value
		}
	}
	return v
}
