package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTable(t *testing.T) {
	table := Table{Head: []string{"ID", "STATUS", "WAITING FOR"}}
	table.Add("Bestellung-ä", "running", "signal approve")
	table.Add("x", "done", "")
	var b strings.Builder
	require.NoError(t, table.Write(&b, Terminal{}))
	require.Equal(t, ""+
		"ID            STATUS   WAITING FOR\n"+
		"Bestellung-ä  running  signal approve\n"+
		"x             done\n", b.String())
}

func TestTableIsCutAtTheTerminal(t *testing.T) {
	table := Table{Head: []string{"A", "B"}}
	table.Add("one", "a long text")
	var b strings.Builder
	require.NoError(t, table.Write(&b, Terminal{Width: 10}))
	require.Equal(t, "A    B\none  a lo…\n", b.String())
}

func TestColour(t *testing.T) {
	require.Equal(t, "x", Terminal{}.Red("x"))
	require.Equal(t, "\x1b[31mx\x1b[0m", Terminal{Color: true}.Red("x"))
	require.Equal(t, "", Terminal{Color: true}.Red(""))
}

func TestLine(t *testing.T) {
	require.Equal(t, "plain", Line("plain"))
	require.Equal(t, "one / two", Line("one\ntwo\n"))
	require.Equal(t, "·[31mred·", Line("\x1b[31mred\a"))
}
