// Command wf runs durable workflows written in .wf scripts.
package main

import (
	"os"

	"github.com/wf-lang/wf/cmd/wf/internal/cli"
)

func main() { os.Exit(cli.Main()) }
