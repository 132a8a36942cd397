package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// flagTrouble says what is wrong with the flags of a command.
func flagTrouble(cmd *cobra.Command, err error) error {
	text, hint := err.Error(), ""
	if strings.HasPrefix(text, "unknown shorthand flag") {
		hint = "\nput -- before arguments that begin with a minus"
	}
	if at := strings.Index(text, ": strconv."); at >= 0 {
		text = text[:at] // how it was read is nobody's business
	}
	return usage("%s%s\n%s --help shows how it is used", text, hint, cmd.CommandPath())
}

// numbersAsArguments lets a command take numbers and durations below zero
// (-5, -1h30m) as arguments: no flag looks like one. Flags stay flags wherever
// they stand.
func numbersAsArguments(root *cobra.Command, args []string) []string {
	cmd, rest, err := root.Find(args)
	if err != nil || cmd == root {
		return args
	}
	cmd.InitDefaultHelpFlag()
	path := strings.Fields(cmd.CommandPath())[1:]
	var flags, others []string
	negative := false
	for i := 0; i < len(rest); i++ {
		switch arg := rest[i]; {
		case arg == "--":
			others = append(others, rest[i+1:]...)
			i = len(rest)
		case belowZero(arg):
			negative = true
			others = append(others, arg)
		case len(arg) < 2 || arg[0] != '-':
			others = append(others, arg)
		default:
			flags = append(flags, arg)
			if takesNext(cmd, arg) && i+1 < len(rest) {
				i++
				flags = append(flags, rest[i])
			}
		}
	}
	if !negative {
		return args
	}
	return slices.Concat(path, flags, []string{"--"}, others)
}

// belowZero reports whether an argument looks like a number below zero.
func belowZero(arg string) bool {
	digits := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), ".")
	return arg[:min(1, len(arg))] == "-" && digits != "" && digits[0] >= '0' && digits[0] <= '9'
}

// takesNext reports whether the value of a flag is the next argument.
func takesNext(cmd *cobra.Command, arg string) bool {
	name, _, given := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	f := cmd.Flags().Lookup(name)
	if !strings.HasPrefix(arg, "--") {
		if len(name) != 1 {
			return false
		}
		f = cmd.Flags().ShorthandLookup(name)
	}
	return f != nil && !given && f.NoOptDefVal == ""
}
